import type { Profile } from '@repoless/contract/site.ts';
import { sql } from 'kysely';
import { type Query, upsert, type WriteQueries } from '../db/queries.ts';
import { printed, storedDocument } from '../domain/documents.ts';
import type { Reads, Writes } from '../domain/ports.ts';
import { storedOwner } from '../owners/owner.ts';
import { deleteCredentials } from '../secrets/secret-queries.ts';
import type { StoredProfile } from '../sites/ports.ts';

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
