import type { endpoints } from '#contract/endpoints.ts';
import type { SecretInfo } from '#contract/secret.ts';
import type { Site } from '#contract/site.ts';
import { etagOf } from '../canonical.ts';
import { Refusal } from '../errors.ts';
import { findSite } from '../sites/find-site.ts';
import type { Operation } from '../operation.ts';
import { secretEtag, secretInfo } from './stored-secret.ts';

/** Those whose values are kept, and those that the document of the site names without that their values ever came. */
export const listSecrets: Operation<(typeof endpoints)['listSecrets']> = async (context, { params }) => {
  const { config } = await findSite(context, params);
  const secrets = await context.store.reads.secrets(params.org, params.site);
  const named = Object.keys(config.secrets ?? {}).map((name) => [name, namedSecret(config, name)] as const);
  const body = Object.fromEntries([...named, ...secrets.map((secret) => [secret.name, secretInfo(secret)] as const)]);
  return { result: 'done', body, etag: etagOf(body) };
};

export const getSecret: Operation<(typeof endpoints)['getSecret']> = async (context, { params }) => {
  const { config } = await findSite(context, params);
  const secret = await context.store.reads.secret(params.org, params.site, params.name);
  if (secret !== undefined) return { result: 'done', body: secretInfo(secret), etag: secretEtag(secret) };
  const named = namedSecret(config, params.name);
  if (named === undefined) throw secretNotFound(params);
  return { result: 'done', body: named, etag: etagOf(named) };
};

/** A secret as the document of its site names it. */
export function namedSecret({ secrets = {} }: Pick<Site, 'secrets'>, name: string): SecretInfo | undefined {
  const named = Object.hasOwn(secrets, name) ? secrets[name] : undefined;
  if (named === undefined) return undefined;
  const { type, created, lastModified, expires } = named;
  return {
    id: name,
    type,
    created: new Date(created).toISOString(),
    lastModified: new Date(lastModified).toISOString(),
    ...(expires === undefined ? {} : { expires: new Date(expires).toISOString() }),
  };
}

export function secretNotFound({ org, site, name }: { org: string; site: string; name: string }): Refusal {
  return new Refusal('SECRET_NOT_FOUND', `Site "${org}/${site}" has no secret "${name}".`);
}
