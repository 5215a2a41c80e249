import type { SecretInfo } from '@repoless/contract/secret.ts';
import type { Site } from '@repoless/contract/site.ts';
import { etagOf } from '../domain/canonical.ts';
import type { Context } from '../domain/context.ts';
import { Refusal } from '../domain/errors.ts';
import type { Outcome } from '../domain/operation.ts';
import { findOwner } from '../owners/owned.ts';
import { ownerName, placeOf } from '../owners/owner.ts';
import type { Owner } from '../owners/owner.ts';
import { isSiteToken } from '../access/stored-token.ts';
import { secretEtag, secretInfo } from './stored-secret.ts';

/** Those whose values are kept, and those that the document of their owner names without that their values ever came. */
export async function listSecrets(context: Context, { params }: { readonly params: Owner }): Promise<Outcome> {
  const document = await findOwner(context, params);
  const secrets = (await context.store.reads.secrets(params.org, placeOf(params))).filter((secret) => !isSiteToken(secret));
  const named = Object.keys(document.secrets ?? {}).map((name) => [name, namedSecret(document, name)] as const);
  const body = Object.fromEntries([...named, ...secrets.map((secret) => [secret.name, secretInfo(secret)] as const)]);
  return { result: 'done', body, etag: etagOf(body) };
}

export async function getSecret(context: Context, { params }: { readonly params: Owner & { readonly name: string } }): Promise<Outcome> {
  const document = await findOwner(context, params);
  const secret = await context.store.reads.secret(params.org, placeOf(params), params.name);
  if (secret !== undefined) return { result: 'done', body: secretInfo(secret), etag: secretEtag(secret) };
  const named = namedSecret(document, params.name);
  if (named === undefined) throw secretNotFound(params);
  return { result: 'done', body: named, etag: etagOf(named) };
}

/** A secret as the document of its owner names it. */
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

export function secretNotFound(owner: Owner & { readonly name: string }): Refusal {
  return new Refusal('SECRET_NOT_FOUND', `${ownerName(owner)} has no secret "${owner.name}".`);
}
