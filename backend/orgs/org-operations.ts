import { ROLE_NAMES } from '@repoless/contract/access.ts';
import type { endpoints } from '@repoless/contract/endpoints.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import { OrgInput, type OwnOrgs, type UsageReport } from '@repoless/contract/org.ts';
import { isStranger, requireHeader, requirePerson } from '../access/permit.ts';
import { rolesOf } from '../access/roles.ts';
import { requestOf } from '../changes/change-document.ts';
import { groupPart, partCalls, sitePart } from '../changes/part-calls.ts';
import type { Context, Input, Operation, Outcome } from '../domain/context.ts';
import { etagOf } from '../domain/documents.ts';
import { Refusal } from '@repoless/contract/refusal.ts';
import { restoreVersion } from '../history/read-versions.ts';
import { alreadyClaimed, challengeKey, proveClaim, validChallenges } from './claim-org.ts';
import { changeOrg, findOrg, issuedKeys, ORGS, withIssuedKeys } from './org-document.ts';
import { requireUser, type User } from '../sessions/identity.ts';

export const getOrg: Operation<(typeof endpoints)['getOrg']> = async (context, { params }) => {
  const { config, etag } = await findOrg(context, params.org);
  const body = withIssuedKeys(config, await issuedKeys(context.caller, context.store.reads, config));
  return { result: 'done', body, etag: body === config ? etag : etagOf(body) };
};

/**
 * Claims an organization, or replaces its configuration (its admins only). Serves PUT and POST. A caller without a role in it proves the
 * claim first, and only then learns whether someone was first (ORG_ALREADY_CLAIMED).
 */
export const putOrg: Operation<(typeof endpoints)['putOrg']> = async (context, input) => {
  const { org } = input.params;
  const stored = await context.store.reads.org(org);
  const isClaim = stored === undefined;
  if (isClaim || isStranger(context.caller, stored.config)) await proveClaim(context, org, requirePerson(context.caller));
  if (!isClaim && isStranger(context.caller, stored.config)) throw alreadyClaimed(stored.config);
  const outcome = await changeOrg(context, {
    ...requestOf(ORGS, input),
    permission: 'org:claim',
    action: isClaim ? 'claim-org' : 'put-org',
    creates: true,
    next: () => input.body,
  });
  if (isClaim && input.query.dryRun !== true) {
    const caller = requirePerson(context.caller);
    for (const { repository } of await validChallenges(context, org, caller))
      await context.store.shortLived.take('challenge', challengeKey(org, caller, repository));
  }
  return outcome;
};

/** Claims an organization, replaces its configuration, or restores a version of it. */
export const postOrg: Operation<(typeof endpoints)['postOrg']> = (context, input) => {
  const { body, query } = input;
  if (query.restoreVersion !== undefined) return restore(context, input, query.restoreVersion);
  if (body !== undefined) return putOrg(context, { ...input, body });
  throw new Refusal('BODY_MISSING', 'missing body', { detail: 'Send the organization, or ?restoreVersion=<number>.' });
};

function restore(context: Context, input: Input<(typeof endpoints)['postOrg']>, version: number): Promise<Outcome> {
  requireHeader(requireUser(context.caller));
  return restoreVersion(context, ORGS, input, version, { permission: 'org:write', action: `restore-org/${version}`, schema: OrgInput });
}

type Entry = OwnOrgs['orgs'][number];

/**
 * Lists the organizations in which the caller has a role, except those that only grant a role to everyone; an API key belongs to one
 * organization.
 */
export const listOwnOrgs: Operation<(typeof endpoints)['listOwnOrgs']> = async (context) => {
  const user = requireUser(context.caller);
  const orgs: Entry[] = [];
  let checked = 0;
  for await (const name of named(context, user)) {
    if (orgs.length === LIMITS.ownOrgs || checked === LIMITS.ownOrgsSearched) return { result: 'done', body: { orgs, more: true } };
    checked += 1;
    const entry = await entryOf(context, user, name);
    if (entry !== undefined) orgs.push(entry);
  }
  return { result: 'done', body: { orgs } };
};

/** Organizations that may grant a role to the caller: their lists contain it, or the domain of its address. */
async function* named({ store }: Context, { key, names }: User): AsyncGenerator<string> {
  if (key !== undefined) return yield key.org;
  const entries = [...new Set(names.flatMap((name) => [name, ...domainOf(name)]))];
  let after: string | undefined;
  for (;;) {
    const page = await store.reads.orgsNaming(entries, { limit: PAGE, ...(after === undefined ? {} : { after }) });
    yield* page;
    after = page.at(-1);
    if (page.length < PAGE) return undefined;
  }
}

async function entryOf({ store }: Context, user: User, name: string): Promise<Entry | undefined> {
  const stored = await store.reads.org(name);
  if (stored === undefined) return undefined;
  const granted = rolesOf(user, stored.config);
  const roles = ROLE_NAMES.filter((role) => granted.has(role));
  const { title } = stored.config;
  return roles.length === 0 ? undefined : { name, ...(title === undefined ? {} : { title }), roles };
}

function domainOf(name: string): string[] {
  const at = name.lastIndexOf('@');
  return at === -1 ? [] : [`*${name.slice(at)}`];
}

const PAGE = 50;

type Rows = typeof endpoints;

/** What the public service stores about access to an organization: stored here too, without effect (docs/contract.md 3.15). */
const accessAdmin = partCalls(ORGS, 'org:write', () => sitePart('access/admin'));
const groups = partCalls(ORGS, 'org:write', (params: { readonly org: string; readonly group: string }) => ({
  ...groupPart(params),
  missing: () => groupNotFound(params),
}));

export const getOrgAccessAdmin: Operation<Rows['getOrgAccessAdmin']> = accessAdmin.get;
export const setOrgAccessAdmin: Operation<Rows['setOrgAccessAdmin']> = accessAdmin.set;
export const deleteOrgAccessAdmin: Operation<Rows['deleteOrgAccessAdmin']> = accessAdmin.remove;
export const getOrgGroup: Operation<Rows['getOrgGroup']> = groups.get;
export const setOrgGroup: Operation<Rows['setOrgGroup']> = groups.set;
export const deleteOrgGroup: Operation<Rows['deleteOrgGroup']> = groups.remove;

export const listOrgGroups: Operation<Rows['listOrgGroups']> = async (context, { params }) => {
  const { config } = await findOrg(context, params.org);
  const body = config.groups ?? {};
  return { result: 'done', body, etag: etagOf(body) };
};

function groupNotFound({ org, group }: { org: string; group: string }): Refusal {
  return new Refusal('GROUP_NOT_FOUND', `The organization "${org}" has no group "${group}".`, { data: { org, group } });
}

/** The usage of an organization, and its quotas. */
export const getUsage: Operation<(typeof endpoints)['getUsage']> = async (context, { params: { org } }) => {
  await findOrg(context, org);
  const { store, settings } = context;
  const { quotas } = settings;
  const [usage, repositories, codeBytes] = await Promise.all([
    store.reads.usage(org),
    store.reads.repositories(org),
    store.code.bytesOf(org),
  ]);
  const body: UsageReport = {
    sites: amount(usage.sites, quotas.sites),
    repositories: amount(repositories.length, quotas.repositories),
    versions: amount(usage.versions, quotas.versions),
    configurationBytes: amount(usage.bytes, quotas.bytes),
    codeBytes: amount(codeBytes, quotas.codeBytes),
    secrets: amount(usage.secrets, quotas.secrets),
    apiKeys: amount(usage.apiKeys, quotas.apiKeys),
    syncsAtOnce: quotas.syncs,
  };
  return { result: 'done', body };
};

function amount(used: number, limit: number | undefined) {
  return { used, ...(limit !== undefined && { limit }) };
}
