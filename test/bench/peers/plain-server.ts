import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers';
import Database from 'better-sqlite3';
import express from 'express';
import { SiteInput } from '@repoless/contract/site.ts';

/**
 * The peer of a durable PUT: a plain Express route with the schema of sites and one transaction for the site, its version, audit entry
 * and outbox row; writes of one turn of the event loop share a commit. Takes the file of its database. Prints its port.
 */
const db = new Database(process.argv[2]);
db.pragma('journal_mode = WAL');
db.pragma('synchronous = FULL');
db.exec(`create table sites (name text primary key, config text, etag text, version integer);
  create table versions (name text, version integer, data text, primary key (name, version));
  create table audit (id integer primary key, name text, time text, version integer); create table outbox (id integer primary key, name text)`);
const current = db.prepare<[string], { version: number }>('select version from sites where name = ?');
const site = db.prepare('insert or replace into sites values (?, ?, ?, ?)');
const version = db.prepare('insert into versions values (?, ?, ?)');
const audit = db.prepare('insert into audit (name, time, version) values (?, ?, ?)');
const outbox = db.prepare('insert into outbox (name) values (?)');
const waiting: { name: string; config: string; done: () => void }[] = [];
const commit = db.transaction((writes: typeof waiting) => {
  for (const { name, config } of writes) {
    const next = (current.get(name)?.version ?? 0) + 1;
    site.run(name, config, createHash('sha256').update(config).digest('base64url'), next);
    version.run(name, next, config);
    audit.run(name, new Date().toISOString(), next);
    outbox.run(name);
  }
});

const app = express();
app.put('/config/:org/sites/:site.json', express.json(), (request, response) => {
  const name = request.params.site;
  const config = JSON.stringify(SiteInput.parse(request.body), null, 2);
  if (waiting.length === 0) setImmediate(flush);
  waiting.push({ name, config, done: () => response.type('json').send(config) });
});
const server = app.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.stdout.write(`${typeof address === 'object' ? (address?.port ?? '') : ''}\n`);
});

function flush(): void {
  const writes = waiting.splice(0);
  commit.immediate(writes);
  for (const { done } of writes) done();
}
