import { repositoryKey } from '../code/rules/code-origin.ts';
import { yieldToEventLoop } from '../domain/event-loop.ts';
import type { Reads, StoredSite } from '../domain/ports.ts';
import { heldRoot } from './authoring-host-statements.ts';
import { historyReads } from './history-reads.ts';
import { integer, optionalText, storedApiKey, storedOrg, storedProfile, storedSecret, storedSite, storedUsage, text } from './row.ts';
import type { Row } from './row.ts';
import { rolloutSiteOf, storedRollout } from './rollout-row.ts';
import { storedSiteCheck } from './site-check-row.ts';
import { storedSubscription } from './subscription-row.ts';
import { namingArgs } from './read-statements.ts';
import type { ReadStatements } from './read-statements.ts';
import type { Args, Statement } from './statement.ts';

/** Executes one statement on an engine. */
export type Query = (statement: Statement, args: Args) => Promise<readonly Row[]>;

/** How an engine is asked. */
export interface Queries {
  readonly read: Query;
  /** A change that is durable when it is answered. */
  readonly change: Query;
}

/** Everything that the domain reads, on either engine. */
export function sqlReads(statements: ReadStatements, query: Query): Reads {
  const first = async (statement: Statement, args: Args) => (await query(statement, args))[0];
  return {
    ...historyReads(statements, query),
    async org(org) {
      return mapped(await first(statements.org, { org }), storedOrg);
    },
    async site(org, site) {
      return mapped(await first(statements.site, { org, site }), storedSite);
    },
    async orgAndSite(org, site) {
      const row = await first(statements.orgAndSite, { org, site });
      if (row === undefined) return { org: undefined, site: undefined };
      const owner = { ...row, config: row['org_config'], etag: row['org_etag'], version: row['org_version'] };
      return { org: storedOrg(owner), site: optionalText(row, 'site') === undefined ? undefined : storedSite(row) };
    },
    async orgsNaming(entries, { after = '', limit }) {
      return (await query(statements.orgsNaming, { ...namingArgs(entries), after, limit })).map((row) => text(row, 'org'));
    },
    async listSites(org, { after = '', limit, bytes }) {
      const fitting = fittingRows(await query(statements.siteSizes, { org, after, limit }), bytes);
      return fitting === 0 ? [] : (await query(statements.listSites, { org, after, limit: fitting })).map(storedSite);
    },
    async listSiteNames(org, { after = '', limit }) {
      return (await query(statements.listSiteNames, { org, after, limit })).map((row) => text(row, 'site'));
    },
    async siteWithContentRoot(root) {
      return mapped(await first(statements.siteWithContentRoot, { root }), siteName);
    },
    async contentRootsOn(host) {
      return (await query(statements.contentRootsOn, { from: `${host}/`, until: `${host}0` })).map(heldRoot);
    },
    async orgOfAuthoringHost(host) {
      return mapped(await first(statements.orgOfAuthoringHost, { host }), (row) => text(row, 'org'));
    },
    async authoringHosts() {
      return (await query(statements.authoringHosts, {})).map((row) => ({ host: text(row, 'host'), org: text(row, 'org') }));
    },
    async secretHolder(org, repository) {
      return mapped(await first(statements.secretHolder, { org, repository }), siteName);
    },
    async usage(org) {
      const [row] = await query(statements.usage, { org });
      return row === undefined ? { sites: 0, versions: 0, bytes: 0, secrets: 0, apiKeys: 0 } : storedUsage(row);
    },
    async usesRepository(org, repository) {
      return (await query(statements.usesRepository, { org, repository: repositoryKey(repository) })).length > 0;
    },
    async repositories(org) {
      return (await query(statements.repositories, { org })).map((row) => text(row, 'repository'));
    },
    async orgsOfRepository(repository, { after = '', limit }) {
      return (await query(statements.orgsOfRepository, { repository: repositoryKey(repository), after, limit })).map((row) =>
        text(row, 'org'),
      );
    },
    async profile(org, profile) {
      return mapped(await first(statements.profile, { org, profile }), storedProfile);
    },
    async listProfileNames(org) {
      return (await query(statements.listProfileNames, { org })).map((row) => text(row, 'profile'));
    },
    async sitesOfProfile(org, profile) {
      return await sitesInParts((after) => query(statements.sitesOfProfile, { org, profile, after, limit: AT_ONCE }));
    },
    async apiKeys(org, site = '') {
      return (await query(statements.apiKeys, { org, site })).map(storedApiKey);
    },
    async apiKey(id) {
      return mapped(await first(statements.apiKey, { id }), storedApiKey);
    },
    async subscriptions(org) {
      return (await query(statements.subscriptions, { org })).map(storedSubscription);
    },
    async webhookSubscriptions() {
      return (await query(statements.webhookSubscriptions, {})).map(storedSubscription);
    },
    async publicConfig(org, site) {
      return mapped(await first(statements.publicConfig, { org, site }), publicConfig);
    },
    async secrets(org, site) {
      return (await query(statements.secrets, { org, site })).map(storedSecret);
    },
    async secret(org, site, name) {
      return mapped(await first(statements.secret, { org, site, name }), storedSecret);
    },
    async keySecrets() {
      return (await query(statements.keySecrets, {})).map(storedSecret);
    },
    async sitesOfRepository(repository, org) {
      const found = (ofAll: Statement, ofOrg: Statement) =>
        org === undefined ? query(ofAll, { repository }) : query(ofOrg, { repository, org });
      const holders = await found(statements.secretHolders, statements.secretHoldersOfOrg);
      const sites = holders.length > 0 ? holders : await found(statements.anySiteOfRepository, statements.anySiteOfOrgOnRepository);
      return sites.map(storedSite);
    },
    async sitesOfOrgOnRepository(org, spelled) {
      const repository = repositoryKey(spelled);
      return await sitesInParts((after) => query(statements.sitesOfOrgOnRepository, { org, repository, after, limit: AT_ONCE }));
    },
    async shortestSiteOfRepository(spelled, org) {
      const repository = repositoryKey(spelled);
      const row =
        org === undefined
          ? await first(statements.shortestSiteOfRepository, { repository })
          : await first(statements.shortestSiteOfOrg, { repository, org });
      return mapped(row, siteName);
    },
    async siteCheck(org, site) {
      return mapped(await first(statements.siteCheck, { org, site }), storedSiteCheck);
    },
    async rollout(org, id) {
      return mapped(await first(statements.rollout, { org, id }), storedRollout);
    },
    async rolloutSite(org, id, site) {
      return mapped(await first(statements.rolloutSite, { org, id, site }), rolloutSiteOf);
    },
    async robots(org, site) {
      return mapped(await first(statements.robots, { org, site }), (row) => optionalText(row, 'robots'));
    },
  };
}

/** How many rows have so many bytes together; one at least where there is one. */
function fittingRows(rows: readonly Row[], most: number): number {
  let bytes = 0;
  const tooLarge = rows.findIndex((row) => (bytes += integer(row, 'bytes')) > most);
  return tooLarge < 0 ? rows.length : Math.max(1, tooLarge);
}

/** Sites of a profile that are read at once. */
const AT_ONCE = 10;

export function publicConfig(row: Row): { json: string; etag: string } {
  return { json: text(row, 'public_json'), etag: text(row, 'public_etag') };
}

function siteName(row: Row): { org: string; site: string } {
  return { org: text(row, 'org'), site: text(row, 'site') };
}

function mapped<T>(row: Row | undefined, map: (row: Row) => T): T | undefined {
  return row === undefined ? undefined : map(row);
}

/** All sites that a query finds, in parts: documents are parsed where they are read, and others have their turn between two parts. */
async function sitesInParts(partAfter: (site: string) => Promise<readonly Row[]>): Promise<StoredSite[]> {
  const sites: StoredSite[] = [];
  for (;;) {
    const some = (await partAfter(sites.at(-1)?.site ?? '')).map(storedSite);
    sites.push(...some);
    if (some.length < AT_ONCE) return sites;
    await yieldToEventLoop();
  }
}
