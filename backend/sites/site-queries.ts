import type { SiteName } from './check-site.ts';
import type { Org } from '@repoless/contract/org.ts';
import type { Site } from '@repoless/contract/site.ts';
import { type RawBuilder, sql } from 'kysely';
import { hash } from 'node:crypto';
import { repositoryKey } from '../code/rules/code-origin.ts';
import { assignments, type Query, upsert, type WriteQueries } from '../db/queries.ts';
import { REPOSITORY_KEY } from '../db/schema.ts';
import { printed, storedDocument } from '../domain/documents.ts';
import { yieldToEventLoop } from '../domain/fair-share.ts';
import type { Reads, Writes } from '../domain/ports.ts';
import { IS_WRONG } from '../events/cause-queries.ts';
import { deleteCredentials } from '../secrets/secret-queries.ts';
import { extendedProfile } from '@repoless/contract/aggregate-site.ts';
import { Conflicted } from '../db/storage-error.ts';
import type { AuthoringHost, ClaimedRoot, ContentRootReads, ContentRootWrites, SiteKeys, StoredSite } from './ports.ts';

/** `aggregate` is the document over the profile that the site extends; null if it extends none. */
export interface SiteRow {
  readonly org: string;
  readonly site: string;
  readonly config: string;
  readonly aggregate: string | null;
  readonly etag: string;
  readonly version: number;
  readonly content_root: string | null;
}

interface OrgAndSiteRow extends Omit<SiteRow, 'site'> {
  readonly site: string | null;
  readonly org_config: string;
  readonly org_etag: string;
  readonly org_version: number;
}

type SiteReads =
  | ('site' | 'orgAndSite' | 'listSites' | 'listSiteNames' | 'secretHolder' | 'usesRepository' | 'repositories' | 'orgsOfRepository')
  | ('sitesOfProfile' | 'sitesOfRepository' | 'sitesOfOrgOnRepository' | 'shortestSiteOfRepository' | 'publicConfig' | 'robots');

const STORED = sql.raw('org, site, config, aggregate, etag, version, content_root');
/** The key by which a repository is found and counted, as `repositoryKey` computes it: the expression of the index. */
export const KEY_OF_REPOSITORY = sql.raw(REPOSITORY_KEY);
const isOn = (repository: string) => sql`${KEY_OF_REPOSITORY} = ${repositoryKey(repository)}`;
const ofOrg = (org: string | undefined) => (org === undefined ? sql`true` : sql`org = ${org}`);

export function siteReads(query: Query): Pick<Reads, SiteReads> {
  const sites = async (condition: RawBuilder<unknown>) =>
    (await query(sql<SiteRow>`select ${STORED} from sites where ${condition}`)).map(storedSite);
  const name = async (condition: RawBuilder<unknown>) => {
    const [row] = await query(sql<SiteName>`select org, site from sites where ${condition}`);
    return row && { org: row.org, site: row.site };
  };
  return {
    async site(org, site) {
      return (await sites(sql`org = ${org} and site = ${site}`))[0];
    },
    async orgAndSite(org, site) {
      const [row] = await query(sql<OrgAndSiteRow>`select o.org, o.config as org_config, o.etag as org_etag, o.version as org_version,
          s.site, s.config, s.aggregate, s.etag, s.version, s.content_root
        from orgs as o left join sites as s on s.org = o.org and s.site = ${site} where o.org = ${org}`);
      if (row === undefined) return { org: undefined, site: undefined };
      const owner = { org, config: storedDocument<Org>(row.org_config), etag: row.org_etag, version: row.org_version };
      return { org: owner, site: row.site === null ? undefined : storedSite({ ...row, site: row.site }) };
    },
    async listSites(org, { after = '', limit, bytes }) {
      // The size of a column is read without the column.
      const sizes = await query(sql<{ bytes: number }>`select octet_length(config) + coalesce(octet_length(aggregate), 0) as bytes
        from sites where org = ${org} and site > ${after} order by site limit ${limit}`);
      if (sizes.length === 0) return [];
      return await sites(sql`org = ${org} and site > ${after} order by site limit ${countWithin(sizes, bytes)}`);
    },
    async listSiteNames(org, { after = '', limit }) {
      const rows = await query(sql<SiteName>`select site from sites where org = ${org} and site > ${after} order by site limit ${limit}`);
      return rows.map(({ site }) => site);
    },
    secretHolder: (org, repository) => name(sql`org = ${org} and repository = ${repository} and holds_secret = 1`),
    async usesRepository(org, repository) {
      return (await name(sql`org = ${org} and ${isOn(repository)} limit 1`)) !== undefined;
    },
    // From each repository to the next by the index, skipping all sites on it.
    async repositories(org) {
      const rows = await query(sql<{ repository: string }>`with recursive used (repository) as (
          select min(${KEY_OF_REPOSITORY}) from sites where org = ${org}
          union all select (select min(${KEY_OF_REPOSITORY}) from sites where org = ${org} and ${KEY_OF_REPOSITORY} > used.repository)
            from used where used.repository is not null
        ) select repository from used where repository is not null`);
      return rows.map(({ repository }) => repository);
    },
    // Likewise from each organization to the next.
    async orgsOfRepository(repository, { after = '', limit }) {
      const rows = await query(sql<{ org: string }>`with recursive used (org) as (
          select min(org) from sites where ${isOn(repository)} and org > ${after}
          union all select (select min(org) from sites where ${isOn(repository)} and org > used.org) from used where org is not null
        ) select org from used where org is not null limit ${limit}`);
      return rows.map(({ org }) => org);
    },
    sitesOfProfile: (org, profile) => sitesInParts(query, sql`org = ${org} and profile = ${profile}`),
    async sitesOfRepository(repository, org) {
      const holders = await sites(sql`${ofOrg(org)} and repository = ${repository} and holds_secret = 1`);
      return holders.length > 0 ? holders : await sites(sql`${ofOrg(org)} and ${KEY_OF_REPOSITORY} = ${repository} limit 1`);
    },
    sitesOfOrgOnRepository: (org, repository) => sitesInParts(query, sql`org = ${org} and ${isOn(repository)}`),
    shortestSiteOfRepository: (repository, org) =>
      name(sql`${ofOrg(org)} and ${isOn(repository)} order by length(org) + length(site) limit 1`),
    async publicConfig(org, site) {
      return (await query(publicConfig(org, site)))[0];
    },
    async robots(org, site) {
      const [row] = await query(sql<{ robots: string | null }>`select robots from sites where org = ${org} and site = ${site}`);
      return row?.robots ?? undefined;
    },
  };
}

export function publicConfig(org: string, site: string) {
  return sql<{ json: string; etag: string }>`select public_json as json, public_etag as etag from sites
    where org = ${org} and site = ${site} and public_json is not null`;
}

/** How many rows have this many bytes together; at least one. */
function countWithin(rows: readonly { readonly bytes: number }[], limit: number): number {
  let bytes = 0;
  const tooLarge = rows.findIndex((row) => (bytes += row.bytes) > limit);
  return tooLarge < 0 ? rows.length : Math.max(1, tooLarge);
}

/** All sites that match a condition, in parts: documents are parsed when read, and other work runs between two parts. */
async function sitesInParts(query: Query, condition: RawBuilder<unknown>): Promise<StoredSite[]> {
  const sites: StoredSite[] = [];
  for (;;) {
    const part = await query(sql<SiteRow>`select ${STORED} from sites where ${condition} and site > ${sites.at(-1)?.site ?? ''}
      order by site limit ${AT_ONCE}`);
    sites.push(...part.map(storedSite));
    if (part.length < AT_ONCE) return sites;
    await yieldToEventLoop();
  }
}

const AT_ONCE = 10;

export function storedSite({ org, site, config: json, aggregate, etag, version, content_root: contentRoot }: SiteRow): StoredSite {
  const config = storedDocument<Site>(json);
  return {
    org,
    site,
    config,
    aggregate: aggregate === null ? config : storedDocument<Site>(aggregate),
    etag,
    version,
    ...(contentRoot !== null && { contentRoot }),
  };
}

export function siteWrites(write: WriteQueries): Pick<Writes, 'putSite' | 'deleteSite' | 'putAggregate'> {
  const { dialect, must, may, run, changed } = write;
  return {
    async putSite(site) {
      const { org, config, aggregate, etag, version } = site;
      const keys = { profile: extendedProfile(config) ?? null, ...keysOf(site) };
      const content = { config: printed(config), etag, version, ...derivedFrom(aggregate ?? config, aggregate) };
      changed({ kind: 'site', org, site: site.site });
      // SQLite rewrites the entries of every index with a column that is set, even to the same value.
      if (dialect === 'sqlite' && version > 1) {
        const isSame = Object.entries(keys).map(([column, value]) => sql`${sql.raw(column)} is ${value}`);
        const inPlace = sql`update sites set ${assignments(content)} where org = ${org} and site = ${site.site}
          and version = ${version - 1} and ${sql.join(isSame, sql` and `)}`;
        if ((await run(inPlace)) > 0) return;
      }
      const row = { org, site: site.site, ...keys, ...content };
      await must(upsert('sites', 'org, site', row, sql`sites.version = excluded.version - 1`));
    },
    async deleteSite(org, site, time) {
      await may(sql`delete from sites where org = ${org} and site = ${site}`);
      await deleteCredentials(write, { org, site });
      // Certificates belong to hosts, which other sites may name as well: the check of certificates ends those causes.
      await may(sql`update event_causes set open = 0, changed = ${time.toISOString()}, detail = null where org = ${org} and site = ${site}
        and kind in ('check-failed', 'drift', 'expires-soon', 'secret-ends') and ${IS_WRONG}`);
    },
    async putAggregate(site) {
      const { org, aggregate, alone } = site;
      const derived = { ...keysOf(site), ...derivedFrom(aggregate, alone ? undefined : aggregate) };
      await must(sql`update sites set ${assignments(derived)} where org = ${org} and site = ${site.site}`);
      // A site that a profile changed keeps its version, but its check is outdated.
      await may(
        sql`update site_checks set service_version = 0, authoring_version = case when authoring_at is null then null else 0 end where org = ${org} and site = ${site.site}`,
      );
      changed({ kind: 'site', org, site: site.site });
    },
  };
}

function keysOf({ contentRoot, repository, holdsSecret }: SiteKeys) {
  return { content_root: contentRoot ?? null, repository: repository ?? null, holds_secret: holdsSecret ? 1 : 0 };
}

/** What is derived from the effective configuration of a site, which is stored in addition to its own if it differs. */
function derivedFrom(effective: Site, stored: Site | undefined) {
  const json = publicBytes(effective);
  return {
    public_json: json,
    public_etag: json === null ? null : `"${hash('sha256', json, 'base64url')}"`,
    robots: effective.robots?.txt ?? null,
    aggregate: stored === undefined ? null : printed(stored),
  };
}

/** The bytes of `/config.json`; null if there is no public part. */
export function publicBytes({ public: value }: Site): string | null {
  return value === undefined ? null : JSON.stringify({ public: value }, null, 2);
}

export function contentRootReads(query: Query): ContentRootReads {
  return {
    async siteWithContentRoot(root) {
      return (await query(sql<SiteName>`select org, site from sites where content_root = ${root}`))[0];
    },
    async contentRootsOn(host) {
      // The character after "/" is "0".
      const rows = await query(sql<ClaimedRoot>`select org, site, content_root as "contentRoot" from sites
        where content_root >= ${`${host}/`} and content_root < ${`${host}0`} order by content_root`);
      return [...rows];
    },
    async orgOfAuthoringHost(host) {
      return (await query(sql<{ org: string }>`select org from authoring_hosts where host = ${host}`))[0]?.org;
    },
    async authoringHosts() {
      return [...(await query(sql<AuthoringHost>`select host, org from authoring_hosts order by host`))];
    },
  };
}

export function contentRootWrites({ dialect, rows, must }: WriteQueries): ContentRootWrites {
  return {
    async assignHost({ host, org }, released) {
      // Reads the roots on the host once no one can claim another. SQLite has one writer: nothing has to be locked.
      if (dialect === 'postgres') await rows(sql`lock table authoring_hosts in exclusive mode`);
      const seen = new Set(released.map(({ org: of, site, contentRoot }) => `${of}/${site} ${contentRoot}`));
      const others = (await contentRootReads(rows).contentRootsOn(host)).filter((root) => root.org !== org);
      if (others.length !== seen.size || !others.every((root) => seen.has(`${root.org}/${root.site} ${root.contentRoot}`)))
        throw new Conflicted();
      await must(upsert('authoring_hosts', 'host', { host, org }));
    },
    async releaseHost(host) {
      await must(sql`delete from authoring_hosts where host = ${host}`);
    },
    async releaseContentRoot({ org, site, contentRoot }) {
      await must(sql`update sites set content_root = null where org = ${org} and site = ${site} and content_root = ${contentRoot}`);
    },
  };
}
