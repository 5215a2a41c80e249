create database build_management;
