import type { RoleName } from '@repoless/contract/access.ts';
import { sql } from 'kysely';
import { type Query, upsert, type WriteQueries } from '../db/queries.ts';
import type { Reads, StoredApiKey, Writes } from '../domain/ports.ts';

/** `site` is empty if the key is valid for the whole organization. `roles` is JSON. */
export interface ApiKeyRow {
  readonly id: string;
  readonly org: string;
  readonly site: string;
  readonly description: string | null;
  readonly roles: string;
  readonly created: string;
  readonly created_by: string;
  readonly expires: string;
}

export function apiKeyReads(query: Query): Pick<Reads, 'apiKeys' | 'apiKey'> {
  return {
    async apiKeys(org, site = '') {
      return (await query(sql<ApiKeyRow>`select * from api_keys where org = ${org} and site = ${site} order by created, id`)).map(
        storedApiKey,
      );
    },
    async apiKey(id) {
      const [row] = await query(sql<ApiKeyRow>`select * from api_keys where id = ${id}`);
      return row && storedApiKey(row);
    },
  };
}

export function storedApiKey({ id, org, site, description, roles, created, created_by: createdBy, expires }: ApiKeyRow): StoredApiKey {
  return {
    id,
    org,
    ...(site !== '' && { site }),
    ...(description !== null && { description }),
    roles: JSON.parse(roles) as RoleName[],
    created: new Date(created),
    createdBy,
    expires: new Date(expires),
  };
}

export function apiKeyWrites({ must, changed }: WriteQueries): Pick<Writes, 'putApiKey' | 'deleteApiKey'> {
  return {
    async putApiKey({ id, org, site = '', description = null, roles, created, createdBy, expires }) {
      const row: ApiKeyRow = {
        id,
        org,
        site,
        description,
        roles: JSON.stringify(roles),
        created: created.toISOString(),
        created_by: createdBy,
        expires: expires.toISOString(),
      };
      await must(upsert('api_keys', 'id', row));
      changed({ kind: 'token', id });
    },
    async deleteApiKey(id) {
      await must(sql`delete from api_keys where id = ${id}`);
      changed({ kind: 'token', id });
    },
  };
}
