import { SITE_TOKEN_SECONDS, type siteTokenEndpoints, type SiteTokenInfo } from '@repoless/contract/credentials.ts';
import type { Endpoints } from '@repoless/contract/endpoints.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import { createHash } from 'node:crypto';
import type { ChangeRequest } from '../changes/change.ts';
import { created, removed, runWrite } from '../changes/part-calls.ts';
import type { Context, Operation, Outcome } from '../domain/context.ts';
import { etagOf, requireCapacity } from '../domain/documents.ts';
import { Refusal, checkPreconditions } from '@repoless/contract/refusal.ts';
import { findOwner, type OwnerDocument, permittedOwner, removeFromOwner } from '../owners/owned.ts';
import { type Owner, ownerAudit, ownerName, ownerKey, storedOwner } from '../owners/owner.ts';
import { type StoredSecret, writtenSecret } from '../secrets/secret-box.ts';
import { isSiteToken, siteTokenId, siteTokenName } from '../secrets/secret-hash-cache.ts';
import type { Tokens } from '../sessions/tokens.ts';

type Issuer = Pick<Tokens, 'issueSiteToken'>;
export type SiteTokenOperations = { readonly [Id in keyof typeof siteTokenEndpoints]: Operation<Endpoints[Id]> };

/** Site tokens: their holders may read the hosts of a site, or of a profile's sites, for a day. Only the hash of the value is stored. */
export function siteTokenOperations(issuer: Issuer): SiteTokenOperations {
  return {
    listSiteTokens: list,
    createSiteToken: (context, input) => create(issuer, context, input),
    getSiteToken: get,
    deleteSiteToken: remove,
    listProfileTokens: list,
    createProfileToken: (context, input) => create(issuer, context, input),
    getProfileToken: get,
    deleteProfileToken: remove,
  };
}

interface TokenCall<Params> extends ChangeRequest {
  readonly params: Params;
}
type TokenParams = Owner & { readonly id: string };

/** The valid tokens, and those named in their owner's document, which were imported with it from the public service. */
async function list(context: Context, { params }: { readonly params: Owner }): Promise<Outcome> {
  const { tokens = {} } = await findOwner(context, params);
  const named = Object.keys(tokens).map((id) => [id, namedToken({ tokens }, id)] as const);
  const stored = (await context.store.reads.secrets(params.org, ownerKey(params))).filter(isSiteToken);
  const valid = stored.filter((token) => isValid(context, token)).map((token) => [siteTokenId(token), infoOf(token)] as const);
  const body = Object.fromEntries([...named, ...valid]);
  return { result: 'done', body, etag: etagOf(body) };
}

async function get(context: Context, { params }: { readonly params: TokenParams }): Promise<Outcome> {
  const document = await findOwner(context, params);
  const stored = await context.store.reads.secret(params.org, ownerKey(params), siteTokenName(params.id));
  const info = stored !== undefined && isValid(context, stored) ? infoOf(stored) : namedToken(document, params.id);
  if (info === undefined) throw tokenNotFound(params);
  return { result: 'done', body: info, etag: etagOf(info) };
}

/** Also deletes the owner's expired tokens. A dry run does neither. */
async function create(issuer: Issuer, context: Context, input: TokenCall<Owner>): Promise<Outcome> {
  const { params } = input;
  const owner = storedOwner(params);
  const id = context.newId();
  const now = context.now();
  const expires = new Date(now.getTime() + SITE_TOKEN_SECONDS * 1000);
  const value = input.query.dryRun === true ? '' : await issuer.issueSiteToken({ id, owner, created: now, expires });
  const sealed = createHash('sha256').update(value).digest('base64url');
  const token = writtenSecret(now, { ...owner, name: siteTokenName(id), type: 'hashed', sealed, expires }, undefined);
  return await runWrite(context, input, async (reads) => {
    await permittedOwner(context, reads, params, 'keys:write');
    checkPreconditions(input, undefined);
    const others = (await reads.secrets(owner.org, owner.site)).filter(isSiteToken);
    const expired = others.filter((other) => !isValid(context, other));
    requireTokenQuota(params, others.length - expired.length);
    if (expired.length === 0) requireCapacity(context.settings.quotas, params.org, await reads.usage(params.org), { secrets: 1 });
    const info = infoOf(token);
    return created(info, {
      etag: etagOf(info),
      secrets: { value },
      async store(writes) {
        for (const other of expired) await writes.deleteSecret(other);
        await writes.putSecret(token);
        await writes.addAudit(ownerAudit(context, params, ['create', 'token', id]));
      },
    });
  });
}

async function remove(context: Context, input: TokenCall<TokenParams>): Promise<Outcome> {
  const { params } = input;
  const document = await findOwner(context, params);
  if (namedToken(document, params.id) !== undefined) return await removeNamed(context, input);
  return await runWrite(context, input, async (reads) => {
    await permittedOwner(context, reads, params, 'keys:write');
    const current = await reads.secret(params.org, ownerKey(params), siteTokenName(params.id));
    if (current === undefined) throw tokenNotFound(params);
    checkPreconditions(input, etagOf(infoOf(current)));
    return removed(async (writes) => {
      await writes.deleteSecret(current);
      await writes.addAudit(ownerAudit(context, params, ['delete', 'token', params.id]));
    });
  });
}

/** Removing a token that is named in the document creates a version. */
function removeNamed(context: Context, input: TokenCall<TokenParams>): Promise<Outcome> {
  const { params } = input;
  const { id } = params;
  return removeFromOwner(context, params, input, {
    permission: 'keys:write',
    action: `delete-token/${id}`,
    part: 'tokens',
    entry: id,
    read: (document) => namedToken(document, id),
    async check(document) {
      const named = namedToken(document, id);
      if (named === undefined) throw tokenNotFound(params);
      checkPreconditions(input, etagOf(named));
    },
  });
}

function infoOf(token: StoredSecret): SiteTokenInfo {
  const { created, expires } = token;
  return {
    id: siteTokenId(token),
    created: created.toISOString(),
    ...(expires === undefined ? {} : { expires: expires.toISOString() }),
  };
}

function namedToken({ tokens = {} }: Pick<OwnerDocument, 'tokens'>, id: string): SiteTokenInfo | undefined {
  const named = Object.hasOwn(tokens, id) ? tokens[id] : undefined;
  return named && { id, ...(named.created === undefined ? {} : { created: named.created }) };
}

function isValid({ now }: Context, { expires }: StoredSecret): boolean {
  return expires !== undefined && expires.getTime() > now().getTime();
}

function requireTokenQuota(owner: Owner, count: number): void {
  if (count < LIMITS.siteTokens) return;
  const sentence = `${ownerName(owner)} has ${count} site tokens, and ${LIMITS.siteTokens} are allowed. Use one of them, remove some, or wait: each expires after a day.`;
  throw new Refusal('QUOTA_REACHED', sentence, { data: { quota: 'siteTokens', used: `${count}`, limit: `${LIMITS.siteTokens}` } });
}

function tokenNotFound({ id, ...owner }: TokenParams): Refusal {
  return new Refusal('SITE_TOKEN_NOT_FOUND', `${ownerName(owner)} has no site token "${id}".`, { data: { id } });
}
