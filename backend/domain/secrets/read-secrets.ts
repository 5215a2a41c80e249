import type { endpoints } from '#contract/endpoints.ts';
import { Refusal } from '../errors.ts';
import { findSite } from '../sites/find-site.ts';
import type { Verb } from '../verb.ts';
import { secretInfo } from './stored-secret.ts';

export const listSecrets: Verb<(typeof endpoints)['listSecrets']> = async (context, { params }) => {
  await findSite(context, params);
  const secrets = await context.store.reads.secrets(params.org, params.site);
  return { status: 200, body: Object.fromEntries(secrets.map((secret) => [secret.name, secretInfo(secret)])) };
};

export const getSecret: Verb<(typeof endpoints)['getSecret']> = async (context, { params }) => {
  await findSite(context, params);
  const secret = await context.store.reads.secret(params.org, params.site, params.name);
  if (secret === undefined) throw secretNotFound(params);
  return { status: 200, body: secretInfo(secret) };
};

export function secretNotFound({ org, site, name }: { org: string; site: string; name: string }): Refusal {
  return new Refusal('SECRET_NOT_FOUND', `Site "${org}/${site}" has no secret "${name}".`);
}
