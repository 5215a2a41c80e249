import { z } from 'zod';
import type { PublishStore, SiteName } from '#backend/domain/publishing/ports.ts';
import { integer, listedSite, optionalText, serial, text } from './row.ts';
import type { Row } from './row.ts';
import { publishStatements } from './publish-statements.ts';
import { publicConfig } from './sql-reads.ts';
import type { Queries } from './sql-reads.ts';
import type { Compile } from './statement.ts';
import type { Dialect } from './tables.ts';

const Phase = z.enum(['sites', 'objects', 'done']);

/** The sites whose copy is to be written, on either engine. */
export function sqlPublishing(compile: Compile, { read, count: counted, change }: Queries, dialect: Dialect): PublishStore {
  const statements = publishStatements(compile, dialect);
  // Sorted, so that two nodes do not wait for each other's rows.
  const list = (sites: readonly SiteName[]) =>
    JSON.stringify([...new Map(sites.map(({ org, site }) => [`${org}/${site}`, [org, site]])).values()].toSorted(byName));
  const ownedBy = ({ org, site }: SiteName, owner: string) => ({ org, site, owner });
  return {
    async publishTo(place) {
      await change(statements.begin, { place });
    },
    async stop() {
      for (const statement of statements.stop) await change(statement, {});
    },
    async claim({ place, owner, until, now, leased, limit, behind }) {
      const times = { until: until.toISOString(), now: now.toISOString(), leased: leased.toISOString() };
      const rows = await change(statements.claim, { place, owner, limit, behind, ...times });
      return rows.map((row) => ({ ...siteName(row), attempts: integer(row, 'attempts') }));
    },
    async document({ org, site }) {
      const [row] = await read(statements.document, { org, site });
      if (row === undefined) return undefined;
      return {
        aggregate: listedSite(row).aggregate,
        config: optionalText(row, 'public_json') === undefined ? undefined : publicConfig(row),
      };
    },
    async finish(owner) {
      return (await change(statements.finish, { owner })).map(siteName);
    },
    async written({ sites, owner, as, next, problem }) {
      const args = { sites: list(sites), owner, as, next: next.toISOString(), problem };
      return sites.length === 0 ? [] : (await change(statements.written, args)).map(siteName);
    },
    async again(site, owner, since) {
      return (await change(statements.again, { ...ownedBy(site, owner), since: since.toISOString() })).length > 0;
    },
    async failed(site, owner, next, problem) {
      await change(statements.failed, { ...ownedBy(site, owner), next: next.toISOString(), problem });
    },
    async release(site, owner) {
      await change(statements.release, ownedBy(site, owner));
    },
    async queue(sites, now) {
      if (sites.length > 0) await change(statements.queue, { sites: list(sites), now: now.toISOString() });
    },
    async unknown(sites) {
      return sites.length === 0 ? [] : (await read(statements.unknown, { sites: list(sites) })).map(siteName);
    },
    async isWaiting(count = 1) {
      const [row = {}] = await read(statements.isWaiting, { count });
      return serial(row, 'count') >= count;
    },
    async waiting() {
      const [row = {}] = await counted(statements.waiting, {});
      const oldest = optionalText(row, 'oldest');
      return { count: serial(row, 'count'), oldest: oldest === undefined ? undefined : new Date(oldest) };
    },
    async sites({ org, site }, limit) {
      return (await read(statements.sites, { org, site, limit })).map(siteName);
    },
    async claimLook({ place, owner, until, now, leased }) {
      const times = { until: until.toISOString(), now: now.toISOString(), leased: leased.toISOString() };
      const [row] = await change(statements.claimLook, { place, owner, ...times });
      return row === undefined ? undefined : { phase: Phase.parse(row['phase']), after: text(row, 'after_key') };
    },
    async lookedUpTo({ phase, after }, owner, due) {
      await change(statements.looked, { phase, after, owner, due: due.toISOString() });
    },
  };
}

function siteName(row: Row): SiteName {
  return { org: text(row, 'org'), site: text(row, 'site') };
}

function byName([org = '', site = '']: readonly string[], [otherOrg = '', otherSite = '']: readonly string[]): number {
  if (org !== otherOrg) return org < otherOrg ? -1 : 1;
  return site < otherSite ? -1 : Number(site > otherSite);
}
