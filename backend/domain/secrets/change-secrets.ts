import { createHash } from 'node:crypto';
import type { CodeSource } from '#contract/code-source.ts';
import type { Site } from '#contract/site.ts';
import type { endpoints } from '#contract/endpoints.ts';
import { REPOSITORY_SECRET } from '#contract/secret.ts';
import { etagOf } from '../canonical.ts';
import { changeRequest } from '../changes/change.ts';
import { REMOVAL, runWrite } from '../changes/run-write.ts';
import type { Prepared } from '../changes/run-write.ts';
import type { Context } from '../context.ts';
import { difference } from '../difference.ts';
import { Refusal } from '../errors.ts';
import type { Reads, Writes } from '../ports.ts';
import { checkPreconditions } from '../preconditions.ts';
import { keepCapacity, requireCapacity } from '../quotas/quotas.ts';
import { permit, requireUser } from '../roles/permit.ts';
import { refuseSecondHolder } from '../sites/check-site.ts';
import type { SiteName } from '../sites/check-site.ts';
import { changeSite } from '../sites/change-site.ts';
import { findSite, siteNotFound } from '../sites/find-site.ts';
import { unguessable } from '../unguessable.ts';
import type { Input, Operation, Outcome } from '../operation.ts';
import { namedSecret, secretNotFound } from './read-secrets.ts';
import type { SecretBox } from './secret-box.ts';
import { secretEnd } from './take-secrets.ts';
import { secretEtag, secretInfo, writtenSecret } from './stored-secret.ts';
import type { StoredSecret } from './stored-secret.ts';

type Rows = typeof endpoints;

/**
 * Call 6: the value is sealed before it goes anywhere, and is never told again. Without a value one is made, whose hash alone
 * is kept, and told in this one answer. The end belongs to the value: another value has another one, or none.
 */
export function setSecret(box: SecretBox): Operation<Rows['setSecret']> {
  return async (context, input) => {
    const { params, body } = input;
    let code: CodeSource | undefined;
    const value = body?.value;
    if (value === undefined && params.name === REPOSITORY_SECRET) throw valueMissing();
    const made = value === undefined ? generated(context) : undefined;
    const end = secretEnd(context, body?.expires);
    const content = made ?? { type: 'key' as const, sealed: box.seal(value ?? '', params) };
    const prepare = async (reads: Reads): Promise<Prepared> => {
      const site = await permittedSite(context, reads, params);
      code = site.code;
      const present = await reads.secret(params.org, params.site, params.name);
      checkPreconditions(input, present === undefined ? undefined : secretEtag(present));
      if (present === undefined) await requireSecretCapacity(context, reads, params);
      if (params.name === REPOSITORY_SECRET) await refuseSecondHolder(reads, params, site);
      const secret = writtenSecret(context.now(), { ...params, type: content.type, sealed: content.sealed, ...end }, present);
      const info = secretInfo(secret);
      return {
        result: 'done',
        body: { ...info, ...(made !== undefined && { value: made.value }) },
        etag: secretEtag(secret),
        dryRunResult: info,
        diff: present === undefined ? difference({}, info) : [...difference(secretInfo(present), info), NEW_VALUE],
        async store(writes) {
          if (present === undefined) await keepCapacity(context.settings.quotas, params.org, writes, 'secrets');
          await store(context, writes, secret, `set-secret/${params.name}`);
        },
      };
    };
    const outcome = await runWrite(context, changeRequest(input), prepare, { kind: 'site', org: params.org, site: params.site });
    const isStored = params.name === REPOSITORY_SECRET && input.query.dryRun !== true;
    if (isStored) await context.firstSyncs?.secretStored(params.org, code);
    return outcome;
  };
}

/** Makes a secret with a name of its own. Its value is in this one answer, and its hash alone is kept. */
export const generateSecret: Operation<Rows['generateSecret']> = (context, input) => {
  const { params } = input;
  const name = `secret-${context.newId().replaceAll('-', '').slice(0, 12).toLowerCase()}`;
  const { value, type, sealed } = generated(context);
  const end = secretEnd(context, input.body?.expires);
  return runWrite(context, changeRequest(input), async (reads) => {
    await permittedSite(context, reads, params);
    checkPreconditions(input, undefined);
    await requireSecretCapacity(context, reads, params);
    const secret = writtenSecret(context.now(), { ...params, name, type, sealed, ...end }, undefined);
    const { id: _id, ...dryRunResult } = secretInfo(secret);
    return {
      result: 'created',
      body: { ...secretInfo(secret), value },
      etag: secretEtag(secret),
      dryRunResult,
      diff: difference({}, dryRunResult),
      async store(writes) {
        await keepCapacity(context.settings.quotas, params.org, writes, 'secrets');
        await store(context, writes, secret, `generate-secret/${name}`);
      },
    };
  });
};

export const deleteSecret: Operation<Rows['deleteSecret']> = async (context, input) => {
  const { params } = input;
  const { config } = await findSite(context, params);
  if (namedSecret(config, params.name) !== undefined) return await removeNamed(context, input);
  return await runWrite(context, changeRequest(input), async (reads) => {
    await permittedSite(context, reads, params);
    const present = await reads.secret(params.org, params.site, params.name);
    if (present === undefined) throw secretNotFound(params);
    checkPreconditions(input, secretEtag(present));
    return {
      result: 'removed',
      diff: REMOVAL,
      async store(writes) {
        await writes.deleteSecret(params);
        await audit(context, writes, params, `delete-secret/${params.name}`);
      },
    };
  });
};

/** A secret that the document of the site names goes from there too, which makes a version. */
function removeNamed(context: Context, input: Input<Rows['deleteSecret']>): Promise<Outcome> {
  const { org, site, name } = input.params;
  return changeSite(context, {
    name: { org, site },
    query: input.query,
    permission: 'config:write',
    action: `delete-secret/${name}`,
    view: { pointer: `/secrets/${name}`, read: (config) => namedSecret(config, name) },
    async next(present, reads) {
      const { secrets: { [name]: named, ...others } = {}, ...rest } = present?.config ?? {};
      const stored = await reads.secret(org, site, name);
      if (stored === undefined && named === undefined) throw secretNotFound(input.params);
      checkPreconditions(input, stored === undefined ? etagOf(namedSecret(present?.config ?? {}, name)) : secretEtag(stored));
      return Object.keys(others).length === 0 ? rest : { ...rest, secrets: others };
    },
    async also(writes) {
      if ((await writes.secret(org, site, name)) !== undefined) await writes.deleteSecret(input.params);
    },
  });
}

function generated(context: Context): Pick<StoredSecret, 'type' | 'sealed'> & { readonly value: string } {
  const value = unguessable(context);
  return { value, type: 'hashed', sealed: createHash('sha256').update(value).digest('base64url') };
}

async function requireSecretCapacity({ settings }: Context, reads: Reads, { org }: SiteName): Promise<void> {
  requireCapacity(settings.quotas, org, await reads.usage(org), { secrets: 1 });
}

function valueMissing(): Refusal {
  const sentence = 'Write the value of the secret, as shown by build management.';
  return new Refusal('BODY_INVALID', sentence, { errors: [{ pointer: '/value', detail: sentence }] });
}

/** A value is in no answer; that it is another one is told. */
const NEW_VALUE = { op: 'replace' as const, path: '/value', value: '[sealed]' };

async function permittedSite(context: Context, reads: Reads, name: SiteName): Promise<Site> {
  const { org, site } = await reads.orgAndSite(name.org, name.site);
  permit(context.caller, 'config:write', { name: name.org, org, site: site?.aggregate });
  if (site === undefined) throw siteNotFound(name);
  return site.aggregate;
}

async function store(context: Context, writes: Writes, secret: StoredSecret, action: string): Promise<void> {
  await writes.putSecret(secret);
  await audit(context, writes, secret, action);
}

async function audit(context: Context, writes: Writes, { org, site }: SiteName, action: string): Promise<void> {
  const user = requireUser(context.caller).email;
  await writes.addAudit({ org, site, time: context.now(), user, action, requestId: context.requestId });
}
