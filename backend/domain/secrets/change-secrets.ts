import { createHash } from 'node:crypto';
import type { Site } from '#contract/site.ts';
import type { endpoints } from '#contract/endpoints.ts';
import { REPOSITORY_SECRET } from '#contract/secret.ts';
import type { Context } from '../context.ts';
import { Refusal } from '../errors.ts';
import type { Reads, Writes } from '../ports.ts';
import { permit, requireUser } from '../roles/permit.ts';
import type { SiteName } from '../sites/check-site.ts';
import { siteNotFound } from '../sites/find-site.ts';
import { lookUpKeys } from '../sites/look-up-keys.ts';
import type { Verb } from '../verb.ts';
import { secretNotFound } from './read-secrets.ts';
import type { SecretBox } from './secret-box.ts';
import { secretInfo } from './stored-secret.ts';
import type { StoredSecret } from './stored-secret.ts';

/** Call 6: the value is sealed before it goes anywhere, and is never told again. */
export function setSecret(box: SecretBox): Verb<(typeof endpoints)['setSecret']> {
  return async (context, { params, body }) => {
    const sealed = box.seal(body.value, params);
    const secret = await context.store.write(async (writes) => {
      const site = await permittedSite(context, writes, params);
      if (params.name === REPOSITORY_SECRET) await refuseSecondHolder(writes, params, site);
      const now = context.now();
      const present = await writes.secret(params.org, params.site, params.name);
      const next: StoredSecret = { ...params, type: 'key', sealed, created: present?.created ?? now, lastModified: now };
      await store(context, writes, next, `set-secret/${params.name}`);
      return next;
    });
    return { status: 200, body: secretInfo(secret) };
  };
}

/** Makes a secret whose hash alone is kept. Its value is in this one answer. */
export const generateSecret: Verb<(typeof endpoints)['generateSecret']> = async (context, { params }) => {
  const value = `${context.newId()}${context.newId()}`.replaceAll('-', '');
  const name = `secret-${context.newId().replaceAll('-', '').slice(0, 12).toLowerCase()}`;
  const secret = await context.store.write(async (writes) => {
    await permittedSite(context, writes, params);
    const now = context.now();
    const sealed = createHash('sha256').update(value).digest('base64url');
    const next: StoredSecret = { ...params, name, type: 'hashed', sealed, created: now, lastModified: now };
    await store(context, writes, next, `generate-secret/${name}`);
    return next;
  });
  return { status: 201, body: { ...secretInfo(secret), value } };
};

export const deleteSecret: Verb<(typeof endpoints)['deleteSecret']> = async (context, { params }) => {
  await context.store.write(async (writes) => {
    await permittedSite(context, writes, params);
    if ((await writes.secret(params.org, params.site, params.name)) === undefined) throw secretNotFound(params);
    await writes.deleteSecret(params);
    await audit(context, writes, params, `delete-secret/${params.name}`);
  });
  return { status: 204 };
};

async function permittedSite(context: Context, reads: Reads, name: SiteName): Promise<Site> {
  const { org, site } = await reads.orgAndSite(name.org, name.site);
  permit(context.caller, 'config:write', { name: name.org, org, site: site?.aggregate });
  if (site === undefined) throw siteNotFound(name);
  return site.aggregate;
}

/** The secret of an external repository is held by its first site alone; the further ones use it. */
async function refuseSecondHolder(reads: Reads, { org, site: name }: SiteName, site: Site): Promise<void> {
  const { repository, holdsSecret } = lookUpKeys(site);
  if (repository === undefined || holdsSecret || site.code?.source?.type !== 'byogit') return;
  const holder = await reads.secretHolder(org, repository);
  if (holder === undefined) return;
  const sentence = `Site "${holder.org}/${holder.site}" holds the secret of this repository, and it is used here too. Set it there.`;
  throw new Refusal('SECRET_NOT_ALLOWED', sentence, { data: { ...holder, requested: name } });
}

async function store(context: Context, writes: Writes, secret: StoredSecret, action: string): Promise<void> {
  await writes.putSecret(secret);
  await audit(context, writes, secret, action);
}

async function audit(context: Context, writes: Writes, { org, site }: SiteName, action: string): Promise<void> {
  const user = requireUser(context.caller).email;
  await writes.addAudit({ org, site, time: context.now(), user, action, requestId: context.requestId });
}
