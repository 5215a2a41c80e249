import { referredGroup } from '@repoless/contract/access.ts';
import type { Org } from '@repoless/contract/org.ts';
import { sql } from 'kysely';
import type { Profile } from '@repoless/contract/site.ts';
import { listed, type Query, storableText, upsert, type WriteQueries } from '../db/queries.ts';
import { type OrgUsage, printed, storedDocument } from '../domain/documents.ts';
import type { Reads, StoredOrg, Writes } from '../domain/ports.ts';
import { storedOwner } from '../owners/owner.ts';
import { deleteCredentials } from '../secrets/secret-queries.ts';
import type { StoredProfile } from '../sites/ports.ts';

export interface OrgRow {
  readonly org: string;
  readonly config: string;
  readonly etag: string;
  readonly version: number;
}

export function orgReads(query: Query): Pick<Reads, 'org' | 'orgsNaming' | 'usage'> {
  return {
    async org(org) {
      const [row] = await query(sql<OrgRow>`select org, config, etag, version from orgs where org = ${org}`);
      return row && storedOrg(row);
    },
    async orgsNaming(entries, { after = '', limit }) {
      if (entries.length === 0) return [];
      const rows = await query(sql<{ org: string }>`select distinct org from org_members where member in (${sql.join(entries)})
        and org > ${after} order by org limit ${limit}`);
      return rows.map(({ org }) => org);
    },
    // Several rows that triggers update separately.
    async usage(org) {
      const [row] = await query(sql<OrgUsage>`select coalesce(sum(sites), 0) as sites, coalesce(sum(versions), 0) as versions,
        coalesce(sum(bytes), 0) as bytes, coalesce(sum(secrets), 0) as secrets, coalesce(sum(api_keys), 0) as "apiKeys"
        from org_usage where org = ${org}`);
      return row ?? { sites: 0, versions: 0, bytes: 0, secrets: 0, apiKeys: 0 };
    },
  };
}

export function storedOrg({ org, config, etag, version }: OrgRow): StoredOrg {
  return { org, config: storedDocument<Org>(config), etag, version };
}

export function orgWrites({ dialect, must, may }: WriteQueries): Pick<Writes, 'putOrg'> {
  return {
    async putOrg({ org, config, etag, version }) {
      const row: OrgRow = { org, config: printed(config), etag, version };
      await must(upsert('orgs', 'org', row, sql`orgs.version = excluded.version - 1`));
      const members = listed(dialect, membersNamed(config));
      // Rows of remaining members are left alone.
      await may(sql`delete from org_members where org = ${org} and member not in (select value from ${members})`);
      // Without a condition SQLite takes the conflict clause for one of a join.
      await may(
        sql`insert into org_members (member, org) select value, cast(${org} as text) from ${members} where true on conflict do nothing`,
      );
    },
  };
}

/**
 * Everyone in the users and groups of an organization, in lower case and without duplicates, whether or not they get a role: an
 * organization is found by more names than have one.
 */
function membersNamed({ users = [], groups = {} }: Partial<Pick<Org, 'users' | 'groups'>>): string[] {
  const entries = [...users, ...Object.values(groups).flatMap(({ members }) => members)].map(({ email }) => email);
  const names = entries.filter((entry) => entry !== '*' && referredGroup(entry) === undefined);
  return [...new Set(names.map((name) => storableText(name.toLowerCase())))];
}

export interface ProfileRow {
  readonly org: string;
  readonly profile: string;
  readonly config: string;
  readonly etag: string;
  readonly version: number;
}

export function profileReads(query: Query): Pick<Reads, 'profile' | 'listProfileNames'> {
  return {
    async profile(org, profile) {
      const [row] = await query(sql<ProfileRow>`select * from profiles where org = ${org} and profile = ${profile}`);
      return row && storedProfile(row);
    },
    async listProfileNames(org) {
      const rows = await query(sql<{ profile: string }>`select profile from profiles where org = ${org} order by profile`);
      return rows.map(({ profile }) => profile);
    },
  };
}

export function storedProfile({ org, profile, config, etag, version }: ProfileRow): StoredProfile {
  return { org, profile, config: storedDocument<Profile>(config), etag, version };
}

export function profileWrites(write: WriteQueries): Pick<Writes, 'putProfile' | 'deleteProfile'> {
  return {
    async putProfile({ org, profile, config, etag, version }) {
      const row: ProfileRow = { org, profile, config: printed(config), etag, version };
      await write.must(upsert('profiles', 'org, profile', row, sql`profiles.version = excluded.version - 1`));
    },
    async deleteProfile(org, profile) {
      await write.may(sql`delete from profiles where org = ${org} and profile = ${profile}`);
      await deleteCredentials(write, storedOwner({ org, profile }));
    },
  };
}
