import type { Org, OrgInput } from '@repoless/contract/org.ts';
import type { Caller } from '../domain/caller.ts';
import { canonical } from '../domain/canonical.ts';
import { rolesOf } from '../access/roles-of.ts';
import type { Reads, StoredApiKey } from '../domain/ports.ts';

/** The API keys of an organization that were issued here, for whoever may list them; none for others. */
export async function issuedKeys(caller: Caller, reads: Pick<Reads, 'apiKeys'>, org: Org): Promise<readonly StoredApiKey[]> {
  return rolesOf(caller, org).has('admin') ? reads.apiKeys(org.name) : [];
}

/** The organization as it is read: with the API keys that were issued here, never their values. The same object where there are none. */
export function withIssuedKeys(org: Org, issued: readonly StoredApiKey[]): Org {
  if (issued.length === 0) return org;
  const apiKeys = { ...org.apiKeys };
  for (const { id, roles, created, expires, description } of issued) {
    const times = { created: created.toISOString(), expiration: expires.toISOString() };
    apiKeys[id] = { id, roles: [...roles], subject: `${org.name}/*`, ...times, ...(description !== undefined && { description }) };
  }
  return canonical({ ...org, apiKeys });
}

/** The same without them: what is read may be sent back, and they are kept at `apiKeys.json` alone. */
export function withoutIssuedKeys(input: OrgInput, issued: readonly StoredApiKey[]): OrgInput {
  if (input.apiKeys === undefined || issued.length === 0) return input;
  const known = new Set(issued.map(({ id }) => id));
  const { apiKeys, ...others } = input;
  const kept = Object.entries(apiKeys).filter(([name]) => !known.has(name));
  return kept.length === 0 ? others : { ...others, apiKeys: Object.fromEntries(kept) };
}
