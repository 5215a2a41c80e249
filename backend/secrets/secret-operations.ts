import { defined } from '@repoless/contract/json.ts';
import type { Permission } from '@repoless/contract/access.ts';
import type { CodeSource } from '@repoless/contract/code-source.ts';
import type { Endpoints } from '@repoless/contract/endpoints.ts';
import { REPOSITORY_SECRET, secretEndpoints, type SecretInfo, type SecretInput } from '@repoless/contract/secret.ts';
import type { Site } from '@repoless/contract/site.ts';
import { createHash } from 'node:crypto';
import type { z } from 'zod';
import type { DocumentCall } from '../changes/change.ts';
import { created, type Prepared, removed, runWrite } from '../changes/part-calls.ts';
import { type Context, type Operation, type Outcome, unguessable } from '../domain/context.ts';
import { etagOf, requireCapacity } from '../domain/documents.ts';
import { difference } from '@repoless/contract/difference.ts';
import { bodyInvalid, checkPreconditions, Refusal } from '@repoless/contract/refusal.ts';
import type { Reads } from '../domain/ports.ts';
import { findOwner, permittedOwner, removeFromOwner } from '../owners/owned.ts';
import { type Owner, ownerAudit, ownerName, ownerKey, storedOwner } from '../owners/owner.ts';
import { refuseSecondHolder } from '../sites/check-site.ts';
import { secretEtag, secretInfo, type StoredSecret, writtenSecret } from './secret-box.ts';
import { isSiteToken } from './secret-hash-cache.ts';
import { secretEnd } from './take-secrets.ts';
import type { Subject } from '../history/ports.ts';

/** Those with stored values, and those that their owner's document names although their values were never received. */
async function listSecrets(context: Context, { params }: { readonly params: Owner }): Promise<Outcome> {
  const document = await findOwner(context, params);
  const secrets = (await context.store.reads.secrets(params.org, ownerKey(params))).filter((secret) => !isSiteToken(secret));
  const named = Object.keys(document.secrets ?? {}).map((name) => [name, namedSecret(document, name)] as const);
  const body = Object.fromEntries([...named, ...secrets.map((secret) => [secret.name, secretInfo(secret)] as const)]);
  return { result: 'done', body, etag: etagOf(body) };
}

async function getSecret(context: Context, { params }: { readonly params: Owner & { readonly name: string } }): Promise<Outcome> {
  const document = await findOwner(context, params);
  const secret = await context.store.reads.secret(params.org, ownerKey(params), params.name);
  if (secret !== undefined) return { result: 'done', body: secretInfo(secret), etag: secretEtag(secret) };
  const named = namedSecret(document, params.name);
  if (named === undefined) throw secretNotFound(params);
  return { result: 'done', body: named, etag: etagOf(named) };
}

/** A secret as named in its owner's document. */
export function namedSecret({ secrets = {} }: Pick<Site, 'secrets'>, name: string): SecretInfo | undefined {
  const named = Object.hasOwn(secrets, name) ? secrets[name] : undefined;
  if (named === undefined) return undefined;
  const { type, created, lastModified, expires, description } = named;
  return {
    id: name,
    type,
    created: new Date(created).toISOString(),
    lastModified: new Date(lastModified).toISOString(),
    ...(expires === undefined ? {} : { expires: new Date(expires).toISOString() }),
    ...(description === undefined ? {} : { description }),
  };
}

function secretNotFound(owner: Owner & { readonly name: string }): Refusal {
  return new Refusal('SECRET_NOT_FOUND', `${ownerName(owner)} has no secret "${owner.name}".`, { data: { name: owner.name } });
}

export type SecretOperations = { readonly [Id in keyof typeof secretEndpoints]: Operation<Endpoints[Id]> };

const OF_SITE = secretEndpoints.setSecret.permission;
const OF_PROFILE = secretEndpoints.setProfileSecret.permission;
const OF_ORG = secretEndpoints.setOrgSecret.permission;

/** The calls for secrets: the same for a site, a profile and an organization. */
export const secretOperations: SecretOperations = {
  listSecrets,
  generateSecret: generateSecret(OF_SITE),
  getSecret,
  setSecret: setSecret(OF_SITE),
  deleteSecret: deleteSecret(OF_SITE),
  listProfileSecrets: listSecrets,
  generateProfileSecret: generateSecret(OF_PROFILE),
  getProfileSecret: getSecret,
  setProfileSecret: setSecret(OF_PROFILE),
  deleteProfileSecret: deleteSecret(OF_PROFILE),
  listOrgSecrets: listSecrets,
  generateOrgSecret: generateSecret(OF_ORG),
  getOrgSecret: getSecret,
  setOrgSecret: setSecret(OF_ORG),
  deleteOrgSecret: deleteSecret(OF_ORG),
};

type Named = Owner & { readonly name: string };
interface Sending<Params> extends DocumentCall<Params> {
  readonly body: z.output<typeof SecretInput> | undefined;
}

/**
 * Call 6: the value is sealed before anything else, and is never shown again. Without a value one is generated, of which only the hash is
 * stored, and shown only in this answer. The expiry belongs to the value: another value has another one, or none. A description without a
 * value describes the current secret.
 */
function setSecret(permission: Permission) {
  return async (context: Context, input: Sending<Named>): Promise<Outcome> => {
    const { params, body = {} } = input;
    let code: CodeSource | undefined;
    const isRepositorys = params.name === REPOSITORY_SECRET;
    const prepare = async (reads: Reads): Promise<Prepared> => {
      const site = await permittedOwner(context, reads, params, permission);
      code = site?.code;
      const current = await reads.secret(params.org, ownerKey(params), params.name);
      checkPreconditions(input, current === undefined ? undefined : secretEtag(current));
      if (isRepositorys) await requireRepositoryHolder(reads, params, site);
      if (current === undefined) await requireSecretCapacity(context, reads, params);
      const { value, ...content } = contentOf(context, params, body, current);
      const described = body.description ?? current?.description;
      const written = { ...storedOwner(params), name: params.name, ...content };
      const secret = writtenSecret(context.now(), { ...written, ...(described === undefined ? {} : { description: described }) }, current);
      const info = secretInfo(secret);
      const isOther = content.sealed !== current?.sealed;
      return {
        result: 'done',
        body: { ...info, ...(value === undefined ? {} : { value }) },
        etag: secretEtag(secret),
        dryRunResult: info,
        diff: current === undefined ? difference({}, info) : [...difference(secretInfo(current), info), ...(isOther ? [NEW_VALUE] : [])],
        async store(writes) {
          await writes.putSecret(secret);
          await writes.addAudit(ownerAudit(context, params, ['set', 'secret', params.name]));
        },
      };
    };
    const outcome = await runWrite(context, input, prepare, turnOf(params));
    const isStored = isRepositorys && body.value !== undefined && input.query.dryRun !== true;
    if (isStored) await context.firstSyncs?.secretStored(params.org, code);
    return outcome;
  };
}

/** Creates a secret with its own name, of which only the hash is stored. A generated value is shown only in this answer. */
function generateSecret(permission: Permission) {
  return (context: Context, input: Sending<Owner>): Promise<Outcome> => {
    const { params, body = {} } = input;
    const name = `secret-${context.newId().replaceAll('-', '').slice(0, 12).toLowerCase()}`;
    const { value, ...content } = body.value === undefined ? generated(context) : hashed(body.value);
    const end = secretEnd(context, body.expires);
    const described = body.description === undefined ? {} : { description: body.description };
    return runWrite(context, input, async (reads) => {
      await permittedOwner(context, reads, params, permission);
      checkPreconditions(input, undefined);
      await requireSecretCapacity(context, reads, params);
      const secret = writtenSecret(context.now(), { ...storedOwner(params), name, ...content, ...end, ...described }, undefined);
      return created(secretInfo(secret), {
        etag: secretEtag(secret),
        secrets: defined({ value }),
        async store(writes) {
          await writes.putSecret(secret);
          await writes.addAudit(ownerAudit(context, params, ['generate', 'secret', name]));
        },
      });
    });
  };
}

function deleteSecret(permission: Permission) {
  return async (context: Context, input: DocumentCall<Named>): Promise<Outcome> => {
    const { params } = input;
    const document = await findOwner(context, params);
    if (namedSecret(document, params.name) !== undefined) return await removeNamed(context, input, permission);
    return await runWrite(context, input, async (reads) => {
      await permittedOwner(context, reads, params, permission);
      const current = await reads.secret(params.org, ownerKey(params), params.name);
      if (current === undefined) throw secretNotFound(params);
      checkPreconditions(input, secretEtag(current));
      return removed(async (writes) => {
        await writes.deleteSecret(current);
        await writes.addAudit(ownerAudit(context, params, ['delete', 'secret', params.name]));
      });
    });
  };
}

/** A secret that its owner's document names is removed from there too, which creates a version. */
function removeNamed(context: Context, input: DocumentCall<Named>, permission: Permission): Promise<Outcome> {
  const { params } = input;
  const { name } = params;
  const owner = storedOwner(params);
  return removeFromOwner(context, params, input, {
    permission,
    action: `delete-secret/${name}`,
    part: 'secrets',
    entry: name,
    read: (document) => namedSecret(document, name),
    async check(document, reads) {
      const named = namedSecret(document, name);
      const stored = await reads.secret(owner.org, owner.site, name);
      if (stored === undefined && named === undefined) throw secretNotFound(params);
      checkPreconditions(input, stored === undefined ? etagOf(named) : secretEtag(stored));
    },
    async alsoOfSite(writes) {
      if ((await writes.secret(owner.org, owner.site, name)) !== undefined) await writes.deleteSecret({ ...owner, name });
    },
  });
}

/** What is stored of the body; `value` if one was generated. A description without a value preserves the value. */
function contentOf(
  context: Context,
  params: Named,
  { value, expires, description }: NonNullable<Sending<Named>['body']>,
  current: StoredSecret | undefined,
): Content {
  if (value !== undefined) {
    return { type: 'key', sealed: context.box.seal(value, { ...storedOwner(params), name: params.name }), ...secretEnd(context, expires) };
  }
  const describes = description !== undefined && expires === undefined;
  if (describes && current !== undefined) {
    const { type, sealed, expires: end } = current;
    return { type, sealed, ...(end === undefined ? {} : { expires: end }) };
  }
  if (params.name === REPOSITORY_SECRET) throw valueMissing();
  return { ...generated(context), ...secretEnd(context, expires) };
}

type Content = Pick<StoredSecret, 'type' | 'sealed' | 'expires'> & { readonly value?: string };

function generated(context: Context): Content & { readonly value: string } {
  const value = unguessable(context);
  return { value, ...hashed(value) };
}

function hashed(value: string): Content {
  return { type: 'hashed', sealed: createHash('sha256').update(value).digest('base64url') };
}

/** The secret of a repository belongs to a site, the first one that uses it (docs/contract.md 3.7). */
async function requireRepositoryHolder(reads: Reads, owner: Owner, site: Site | undefined): Promise<void> {
  if (site !== undefined) return refuseSecondHolder(reads, { org: owner.org, site: site.name }, site);
  const sentence = `${ownerName(owner)} cannot have the secret of a repository. Store "${REPOSITORY_SECRET}" at the first site that uses the repository.`;
  throw new Refusal('SECRET_NOT_ALLOWED', sentence);
}

async function requireSecretCapacity({ settings }: Context, reads: Reads, { org }: Owner): Promise<void> {
  requireCapacity(settings.quotas, org, await reads.usage(org), { secrets: 1 });
}

function valueMissing(): Refusal {
  return bodyInvalid('/value', 'Write the value of the secret, as shown by build management.');
}

/** Answers never contain a value, but say that it has changed. */
const NEW_VALUE = { op: 'replace' as const, path: '/value', value: '[sealed]' };

/** Writes of a site take turns. */
function turnOf({ org, site }: Owner): Subject | undefined {
  return site === undefined ? undefined : { kind: 'site', org, site };
}
