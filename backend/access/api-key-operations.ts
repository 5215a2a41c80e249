import type { apiKeyEndpoints, ApiKeyInfo, ApiKeyInput } from '@repoless/contract/credentials.ts';
import type { ChangeRequest } from '../changes/change.ts';
import { created, removed, runWrite } from '../changes/part-calls.ts';
import type { Context, Operation, Outcome } from '../domain/context.ts';
import { etagOf, requireCapacity } from '../domain/documents.ts';
import { Refusal, checkPreconditions } from '@repoless/contract/refusal.ts';
import type { Reads, StoredApiKey } from '../domain/ports.ts';
import { findOwner, permittedOwner } from '../owners/owned.ts';
import { type Owner, ownerAudit, ownerName, ownerKey } from '../owners/owner.ts';
import type { Tokens } from '../sessions/tokens.ts';
import { ANONYMOUS, apiKeyName, requireUser, type User } from '../sessions/identity.ts';

export type ApiKeyOperations = { readonly [Id in keyof typeof apiKeyEndpoints]: Operation<(typeof apiKeyEndpoints)[Id]> };

/** API keys. Only admins create, list and revoke them, so no key has more rights than its creator. */
export function apiKeyOperations(tokens: Pick<Tokens, 'issueKey'>, lifetime: KeyLifetime): ApiKeyOperations {
  const create = (context: Context, input: Creation) => createKey(tokens, lifetime, context, input);
  return {
    listOrgApiKeys: list,
    createOrgApiKey: create,
    getOrgApiKey: get,
    deleteOrgApiKey: revoke,
    listProfileApiKeys: list,
    createProfileApiKey: create,
    getProfileApiKey: get,
    deleteProfileApiKey: revoke,
    listApiKeys: list,
    createApiKey: create,
    getApiKey: get,
    deleteApiKey: revoke,
  };
}

type KeyParams = Owner & { readonly id: string };
type Creation = ChangeRequest & { readonly params: Owner; readonly body: ApiKeyInput | undefined };

/** Seconds, from the settings. */
interface KeyLifetime {
  readonly usual: number;
  readonly longest: number;
}

async function list(context: Context, { params: owner }: { readonly params: Owner }): Promise<Outcome> {
  const { reads } = context.store;
  await findOwner(context, owner);
  const keys = await reads.apiKeys(owner.org, keyLocation(owner));
  const body: Record<string, ApiKeyInfo> = {};
  for (const key of keys) body[key.id] = await infoOf(reads, key);
  return { result: 'done', body, etag: etagOf(body) };
}

async function get(context: Context, { params }: { readonly params: KeyParams }): Promise<Outcome> {
  const { reads } = context.store;
  await findOwner(context, params);
  const info = await infoOf(reads, await findKey(reads, params));
  return { result: 'done', body: info, etag: etagOf(info) };
}

/** A dry run creates no token: a key exists only if it is stored. */
async function createKey(tokens: Pick<Tokens, 'issueKey'>, lifetime: KeyLifetime, context: Context, input: Creation): Promise<Outcome> {
  const issued = newKey(lifetime, context, input.params, input.body ?? {});
  const value = input.query.dryRun === true ? undefined : await tokens.issueKey(issued);
  return await runWrite(context, input, async (reads) => {
    await permittedOwner(context, reads, input.params, 'keys:write');
    checkPreconditions(input, undefined);
    requireCapacity(context.settings.quotas, issued.org, await reads.usage(issued.org), { apiKeys: 1 });
    const key = { ...issued, createdBy: await creatorOfNew(reads, requireUser(context.caller)) };
    const info = await infoOf(reads, key);
    return created(info, {
      etag: etagOf(info),
      secrets: { value },
      async store(writes) {
        await writes.putApiKey(key);
        await writes.addAudit(ownerAudit(context, input.params, ['create', 'api-key', key.id]));
      },
    });
  });
}

function newKey(lifetime: KeyLifetime, context: Context, owner: Owner, body: ApiKeyInput): Omit<StoredApiKey, 'createdBy'> {
  const created = context.now();
  const site = keyLocation(owner);
  return {
    id: context.newId(),
    org: owner.org,
    ...(site !== undefined && { site }),
    ...(body.description !== undefined && { description: body.description }),
    roles: [...new Set(body.roles ?? DEFAULT_ROLES)],
    created,
    expires: expiryOf(created, body.expiresIn, lifetime),
  };
}

async function revoke(context: Context, input: ChangeRequest & { readonly params: KeyParams }): Promise<Outcome> {
  const { params } = input;
  return await runWrite(context, input, async (reads) => {
    await permittedOwner(context, reads, params, 'keys:write');
    const key = await findKey(reads, params);
    checkPreconditions(input, etagOf(await infoOf(reads, key)));
    return removed(async (writes) => {
      await writes.deleteApiKey(key.id);
      await writes.addAudit(ownerAudit(context, params, ['delete', 'api-key', key.id]));
    });
  });
}

/** The roles of a key created without any, as in the public API. */
const DEFAULT_ROLES = ['author'] as const;

/** As stored: keys of the organization itself name no site or profile. */
function keyLocation(owner: Owner): string | undefined {
  return owner.site === undefined && owner.profile === undefined ? undefined : ownerKey(owner);
}

/** A key of another owner counts as missing. */
async function findKey(reads: Reads, { id, ...owner }: KeyParams): Promise<StoredApiKey> {
  const key = await reads.apiKey(id);
  if (key?.org === owner.org && key.site === keyLocation(owner)) return key;
  throw new Refusal('API_KEY_NOT_FOUND', `${ownerName(owner)} has no API key "${id}".`, { data: { id } });
}

async function infoOf(reads: Reads, { id, org, site, description, roles, created, createdBy, expires }: StoredApiKey): Promise<ApiKeyInfo> {
  return {
    id,
    ...(description !== undefined && { description }),
    roles: [...roles],
    subject: `${org}/${site ?? '*'}`,
    created: created.toISOString(),
    createdBy: await creatorOf(reads, createdBy),
    expires: expires.toISOString(),
    expiration: expires.toISOString(),
  };
}

function expiryOf(created: Date, expiresIn: number | undefined, { usual, longest }: KeyLifetime): Date {
  const seconds = expiresIn ?? Math.min(usual, longest);
  if (seconds <= longest) return new Date(created.getTime() + seconds * 1000);
  const sentence = `An API key lives for at most ${longest} seconds here; write ${longest} or less.`;
  throw new Refusal('BODY_INVALID', sentence, { errors: [{ pointer: '/expiresIn', detail: sentence }] });
}

/**
 * The owner of a key or a subscription that a caller creates: the caller or, if that is an API key, the key's creator. Returns an e-mail
 * address or the identifier of a technical account. Refuses with NOT_AUTHENTICATED if the key was revoked in the meantime.
 */
export async function creatorOfNew(reads: Pick<Reads, 'apiKey'>, { email, key }: User): Promise<string> {
  if (key === undefined) return email;
  const stored = await reads.apiKey(key.id);
  if (stored === undefined) return requireUser(ANONYMOUS).email;
  return await creatorOf(reads, stored.createdBy);
}

/** The person behind a stored creator: earlier versions stored the key that it was created with. Returns the last known in the chain. */
export async function creatorOf(reads: Pick<Reads, 'apiKey'>, createdBy: string): Promise<string> {
  let creator = createdBy;
  // A key is older than what it created, so the chain ends.
  while (creator.startsWith(KEY_NAME)) {
    const key = await reads.apiKey(creator.slice(KEY_NAME.length));
    if (key === undefined) return creator;
    creator = key.createdBy;
  }
  return creator;
}

const KEY_NAME = apiKeyName('');
