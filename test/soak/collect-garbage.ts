import { isMainThread } from 'node:worker_threads';
import { collectGarbage } from '../support/collect-garbage.ts';

/** Loaded before a program that is watched: on SIGUSR2 it collects its garbage, so that what is measured then is what it keeps. */
if (isMainThread) process.on('SIGUSR2', collectGarbage);
