import type { Reads } from '#backend/domain/ports.ts';
import { historyReads } from './history-reads.ts';
import { optionalText, storedApiKey, storedOrg, storedProfile, storedSecret, storedSite, text } from './row.ts';
import type { Row } from './row.ts';
import type { ReadStatements } from './read-statements.ts';
import type { Args, Statement } from './statement.ts';

/** Executes one statement on an engine. */
export type Query = (statement: Statement, args: Args) => Promise<readonly Row[]>;

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
      return { org: storedOrg(row, 'org_'), site: optionalText(row, 'site') === undefined ? undefined : storedSite(row) };
    },
    async listSites(org, { after = '', limit }) {
      return (await query(statements.listSites, { org, after, limit })).map(storedSite);
    },
    async listSiteNames(org, { after = '', limit }) {
      return (await query(statements.listSiteNames, { org, after, limit })).map((row) => text(row, 'site'));
    },
    async siteWithContentRoot(root) {
      return mapped(await first(statements.siteWithContentRoot, { root }), siteName);
    },
    async secretHolder(org, repository) {
      return mapped(await first(statements.secretHolder, { org, repository }), siteName);
    },
    async profile(org, profile) {
      return mapped(await first(statements.profile, { org, profile }), storedProfile);
    },
    async listProfileNames(org) {
      return (await query(statements.listProfileNames, { org })).map((row) => text(row, 'profile'));
    },
    async sitesOfProfile(org, profile) {
      return (await query(statements.sitesOfProfile, { org, profile })).map(storedSite);
    },
    async apiKeys(org, site = '') {
      return (await query(statements.apiKeys, { org, site })).map(storedApiKey);
    },
    async apiKey(id) {
      return mapped(await first(statements.apiKey, { id }), storedApiKey);
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
    async sitesOfRepository(repository) {
      const holders = await query(statements.secretHolders, { repository });
      return (holders.length > 0 ? holders : await query(statements.anySiteOfRepository, { repository })).map(storedSite);
    },
    async robots(org, site) {
      return mapped(await first(statements.robots, { org, site }), (row) => optionalText(row, 'robots'));
    },
  };
}

export function publicConfig(row: Row): { json: string; etag: string } {
  return { json: text(row, 'public_json'), etag: text(row, 'public_etag') };
}

function siteName(row: Row): { org: string; site: string } {
  return { org: text(row, 'org'), site: text(row, 'site') };
}

function mapped<T>(row: Row | undefined, map: (row: Row) => T): T | undefined {
  return row === undefined ? undefined : map(row);
}
