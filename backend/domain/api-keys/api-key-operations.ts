import type { ApiKeyInfo, ApiKeyInput } from '#contract/api-key.ts';
import type { apiKeyEndpoints } from '#contract/api-key-endpoints.ts';
import { etagOf } from '../canonical.ts';
import type { ChangeRequest } from '../changes/change.ts';
import { REMOVAL, runWrite } from '../changes/run-write.ts';
import type { Context } from '../context.ts';
import { difference } from '../difference.ts';
import { Refusal } from '../errors.ts';
import type { Reads, StoredApiKey, Writes } from '../ports.ts';
import { checkPreconditions } from '../preconditions.ts';
import { keepCapacity, requireCapacity } from '../quotas/quotas.ts';
import { permit, requireUser, unclaimed } from '../roles/permit.ts';
import type { Tokens } from '../sessions/tokens.ts';
import { siteNotFound } from '../sites/find-site.ts';
import type { Outcome, Operation } from '../operation.ts';
import { makerOf, personBehind } from './maker.ts';

export type ApiKeyOperations = { readonly [Id in keyof typeof apiKeyEndpoints]: Operation<(typeof apiKeyEndpoints)[Id]> };

export interface ApiKeyServices {
  readonly tokens: Pick<Tokens, 'issueKey'>;
  readonly lifetime: KeyLifetime;
}

/** Where keys belong: a site, or the organization itself. */
interface Place {
  readonly org: string;
  readonly site?: string;
}

/** API keys (decision record 0025). Their admins alone make, see and revoke them, so no key has more rights than its maker. */
export function apiKeyOperations(services: ApiKeyServices): ApiKeyOperations {
  return {
    listOrgApiKeys: (context, { params }) => list(context, params),
    createOrgApiKey: (context, input) => create(services, context, input),
    getOrgApiKey: (context, { params }) => get(context, params),
    deleteOrgApiKey: (context, input) => revoke(context, input),
    listApiKeys: (context, { params }) => list(context, params),
    createApiKey: (context, input) => create(services, context, input),
    getApiKey: (context, { params }) => get(context, params),
    deleteApiKey: (context, input) => revoke(context, input),
  };
}

async function list(context: Context, { org, site }: Place): Promise<Outcome> {
  const { reads } = context.store;
  await requirePlace(reads, { org, ...(site !== undefined && { site }) });
  const keys = await reads.apiKeys(org, site);
  const body: Record<string, ApiKeyInfo> = {};
  for (const key of keys) body[key.id] = await infoOf(reads, key);
  return { result: 'done', body, etag: etagOf(body) };
}

async function get(context: Context, params: Place & { readonly id: string }): Promise<Outcome> {
  const { reads } = context.store;
  await requirePlace(reads, params);
  const info = await infoOf(reads, await findKey(reads, params));
  return { result: 'done', body: info, etag: etagOf(info) };
}

/** A dry run makes no token: nothing of a key lives that is not stored. */
async function create(
  services: ApiKeyServices,
  context: Context,
  input: ChangeRequest & { readonly params: Place; readonly body: ApiKeyInput | undefined },
): Promise<Outcome> {
  const made = newKey(services.lifetime, context, input.params, input.body ?? {});
  const value = input.query.dryRun === true ? undefined : await services.tokens.issueKey(made);
  return await runWrite(context, input, async (reads) => {
    await permitted(context, reads, made);
    checkPreconditions(input, undefined);
    requireCapacity(context.settings.quotas, made.org, await reads.usage(made.org), { apiKeys: 1 });
    const key = { ...made, createdBy: await makerOf(reads, requireUser(context.caller)) };
    const info = await infoOf(reads, key);
    const { id: _id, ...dryRunResult } = info;
    return {
      result: 'created',
      body: { ...info, value },
      etag: etagOf(info),
      dryRunResult,
      diff: difference({}, dryRunResult),
      async store(writes) {
        await writes.putApiKey(key);
        await keepCapacity(context.settings.quotas, key.org, writes, 'apiKeys');
        await audit(context, writes, key, 'create-api-key');
      },
    };
  });
}

function newKey(lifetime: KeyLifetime, context: Context, { org, site }: Place, body: ApiKeyInput): Omit<StoredApiKey, 'createdBy'> {
  const created = context.now();
  return {
    id: context.newId(),
    org,
    ...(site !== undefined && { site }),
    ...(body.description !== undefined && { description: body.description }),
    roles: [...new Set(body.roles ?? DEFAULT_ROLES)],
    created,
    expires: expiryOf(created, body.expiresIn, lifetime),
  };
}

async function revoke(context: Context, input: ChangeRequest & { readonly params: Place & { readonly id: string } }): Promise<Outcome> {
  const { params } = input;
  return await runWrite(context, input, async (reads) => {
    await permitted(context, reads, params);
    const key = await findKey(reads, params);
    checkPreconditions(input, etagOf(await infoOf(reads, key)));
    return {
      result: 'removed',
      diff: REMOVAL,
      async store(writes) {
        await writes.deleteApiKey(key.id);
        await audit(context, writes, key, 'delete-api-key');
      },
    };
  });
}

/** What a key without roles may, as at the public API. */
const DEFAULT_ROLES = ['author'] as const;

async function permitted(context: Context, reads: Reads, place: Place): Promise<void> {
  const { org, site } = await readPlace(reads, place);
  permit(context.caller, 'keys:write', { name: place.org, org, site: site?.aggregate });
  if (place.site !== undefined && site === undefined) throw siteNotFound({ org: place.org, site: place.site });
}

async function requirePlace(reads: Reads, place: Place): Promise<void> {
  const { org, site } = await readPlace(reads, place);
  if (org === undefined) throw unclaimed(place.org);
  if (place.site !== undefined && site === undefined) throw siteNotFound({ org: place.org, site: place.site });
}

async function readPlace(reads: Reads, { org, site }: Place) {
  return site === undefined ? { org: await reads.org(org), site: undefined } : await reads.orgAndSite(org, site);
}

/** A key of another place is as if it were not there. */
async function findKey(reads: Reads, { org, site, id }: Place & { readonly id: string }): Promise<StoredApiKey> {
  const key = await reads.apiKey(id);
  if (key?.org === org && key.site === site) return key;
  const place = site === undefined ? `The organization "${org}"` : `Site "${org}/${site}"`;
  throw new Refusal('API_KEY_NOT_FOUND', `${place} has no API key "${id}".`);
}

async function infoOf(reads: Reads, { id, org, site, description, roles, created, createdBy, expires }: StoredApiKey): Promise<ApiKeyInfo> {
  return {
    id,
    ...(description !== undefined && { description }),
    roles: [...roles],
    subject: `${org}/${site ?? '*'}`,
    created: created.toISOString(),
    createdBy: await personBehind(reads, createdBy),
    expires: expires.toISOString(),
    expiration: expires.toISOString(),
  };
}

async function audit(context: Context, writes: Writes, { org, site, id }: StoredApiKey, operation: string): Promise<void> {
  await writes.addAudit({
    org,
    ...(site !== undefined && { site }),
    time: context.now(),
    user: requireUser(context.caller).email,
    action: `${operation}/${id}`,
    requestId: context.requestId,
  });
}

/** Seconds, from the settings. */
interface KeyLifetime {
  readonly usual: number;
  readonly longest: number;
}

/** When a key ends. Refuses with BODY_INVALID where it is asked to live longer than the settings allow. */
function expiryOf(created: Date, expiresIn: number | undefined, { usual, longest }: KeyLifetime): Date {
  const seconds = expiresIn ?? Math.min(usual, longest);
  if (seconds <= longest) return new Date(created.getTime() + seconds * 1000);
  const sentence = `An API key lives for at most ${longest} seconds here; write ${longest} or less.`;
  throw new Refusal('BODY_INVALID', sentence, { errors: [{ pointer: '/expiresIn', detail: sentence }] });
}
