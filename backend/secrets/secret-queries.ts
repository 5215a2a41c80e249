import { sql } from 'kysely';
import type { RoleName } from '@repoless/contract/access.ts';
import { type Query, upsert, type WriteQueries } from '../db/queries.ts';
import type { Reads, Writes, StoredApiKey } from '../domain/ports.ts';
import type { StoredOwner } from '../owners/owner.ts';
import type { StoredSecret } from './secret-box.ts';

/** `sealed` is a sealed value, or the hash of one; never the value. */
export interface SecretRow {
  readonly org: string;
  readonly site: string;
  readonly name: string;
  readonly type: StoredSecret['type'];
  readonly sealed: string;
  readonly created: string;
  readonly last_modified: string;
  readonly expires: string | null;
  /** The `last_modified` that `expires` was written with: it does not apply to a value written since. */
  readonly expires_of: string | null;
  readonly description: string | null;
}

export function secretReads(query: Query): Pick<Reads, 'secrets' | 'secret' | 'keySecrets'> {
  return {
    async secrets(org, site) {
      return (await query(sql<SecretRow>`select * from secrets where org = ${org} and site = ${site} order by name`)).map(storedSecret);
    },
    async secret(org, site, name) {
      const [row] = await query(sql<SecretRow>`select * from secrets where org = ${org} and site = ${site} and name = ${name}`);
      return row && storedSecret(row);
    },
    async keySecrets() {
      return (await query(sql<SecretRow>`select * from secrets where type = 'key'`)).map(storedSecret);
    },
  };
}

function storedSecret(row: SecretRow): StoredSecret {
  const { org, site, name, type, sealed, created, last_modified: modified, expires, expires_of: expiresOf, description } = row;
  return {
    org,
    site,
    name,
    type,
    sealed,
    created: new Date(created),
    lastModified: new Date(modified),
    ...(expires !== null && expiresOf === modified && { expires: new Date(expires) }),
    ...(description !== null && { description }),
  };
}

export function secretWrites({ must, may, changed }: WriteQueries): Pick<Writes, 'putSecret' | 'deleteSecret' | 'reseal'> {
  return {
    async putSecret({ org, site, name, type, sealed, created, lastModified, expires, description }) {
      const modified = lastModified.toISOString();
      const row: SecretRow = {
        org,
        site,
        name,
        type,
        sealed,
        created: created.toISOString(),
        last_modified: modified,
        expires: expires?.toISOString() ?? null,
        expires_of: expires === undefined ? null : modified,
        description: description ?? null,
      };
      await must(upsert('secrets', 'org, site, name', row));
      changed({ kind: 'site', org, site });
    },
    async deleteSecret({ org, site, name }) {
      await must(sql`delete from secrets where org = ${org} and site = ${site} and name = ${name}`);
      changed({ kind: 'site', org, site });
    },
    async reseal(resealed) {
      const { before } = resealed;
      if (resealed.of === 'subscription')
        return await may(sql`update event_subscriptions set sealed = ${resealed.sealed} where id = ${resealed.id} and sealed = ${before}`);
      const { org, site, name, sealed, lastModified } = resealed.secret;
      await may(sql`update secrets set sealed = ${sealed} where org = ${org} and site = ${site} and name = ${name}
        and last_modified = ${lastModified.toISOString()} and sealed = ${before}`);
    },
  };
}

/** Secrets and API keys are removed with their site or profile. */
export async function deleteCredentials({ may, changed }: WriteQueries, { org, site }: StoredOwner): Promise<void> {
  await may(sql`delete from secrets where org = ${org} and site = ${site}`);
  await may(sql`delete from api_keys where org = ${org} and site = ${site}`);
  changed({ kind: 'site', org, site });
}

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
