import type { Consequence } from '@repoless/contract/consequence.ts';
import { type FieldError, jsonPointer } from '@repoless/contract/errors.ts';
import { canonical, sameValue } from '@repoless/contract/json.ts';
import type { Org, OrgInput, OrgUser } from '@repoless/contract/org.ts';
import {
  groupConsequences,
  organizationConsequences,
  type PeopleContext,
  sharedGroupConsequences,
} from '@repoless/core/access/consequences.ts';
import type { Groups } from '@repoless/core/access/groups.ts';
import { isStranger, permit, requirePerson, unclaimed } from '../access/permit.ts';
import { checkGroups, requireAdmins, peopleContext, rolesOf } from '../access/roles.ts';
import { changeDocument } from '../changes/change-document.ts';
import { type Change, type DocumentKind, type Named, type StoredDocument, type View } from '../changes/change.ts';
import type { Context, Outcome } from '../domain/context.ts';
import { createTimeSlices } from '../domain/fair-share.ts';
import { Refusal } from '@repoless/contract/refusal.ts';
import type { Reads, StoredApiKey, StoredOrg } from '../domain/ports.ts';
import { ORG_OWNER } from '../owners/owner.ts';
import { withoutValues } from '../secrets/take-secrets.ts';
import { refuseErrors } from '../sites/check-site.ts';
import { alreadyClaimed } from './claim-org.ts';
import type { Caller, User } from '../sessions/identity.ts';
import type { StoredSite } from '../sites/ports.ts';

export type OrgChange = Change<Named, Org, OrgInput>;

interface CurrentOrg extends StoredDocument<Org> {
  /** Its API keys that were issued here, if the call addresses the complete organization. */
  readonly issued: readonly StoredApiKey[];
}

/** Organizations. One is created by a claim, which is proven first. */
export const ORGS: DocumentKind<Named, Org, OrgInput, CurrentOrg> = {
  nameOf: ({ org }) => ({ org }),
  subject: ({ org }) => ({ kind: 'org', org }),
  title: ({ org }) => `The organization "${org}"`,
  ownName: ({ org }) => org,
  secretsOf: ({ org }) => ({ org, site: ORG_OWNER }),
  ownsSecrets: true,
  async load({ caller }, reads, { name, view }) {
    const [org, usage] = await Promise.all([reads.org(name.org), reads.usage(name.org)]);
    if (org === undefined) return { org, current: undefined, usage };
    const issued = view === undefined ? await issuedKeys(caller, reads, org.config) : [];
    return { org, current: { ...org, issued }, usage, shown: (config) => withIssuedKeys(config, issued) };
  },
  permit({ caller }, { name, permission, creates }, { org }) {
    // Two concurrent claims: the second one has proven that it may know.
    if (org !== undefined && creates === true && isStranger(caller, org.config)) throw alreadyClaimed(org.config);
    return permit(caller, permission, { name: name.org, org });
  },
  find: (context, { org }) => findOrg(context, org),
  partMissing: (part, { org }) => new Refusal('PART_NOT_FOUND', `The organization "${org}" has no ${part}.`, { data: { part } }),
  missing: ({ caller }, { org }) => unclaimed(org, caller),
  complete({ context, change, input, current }) {
    if (current === undefined) return claimedOrg(context, change.name.org, input, requirePerson(context.caller));
    return replacedOrg(context, current.config, withoutIssuedKeys(input, current.issued));
  },
  checkOthers({ context, change: { answers, view, query }, current, config }, bytes) {
    checkOrg(config, answers ?? view ?? ENTIRE_ORG);
    if (current !== undefined) requireAdmins(context.caller, config, query.confirm === true);
    return { usage: { versions: 1, bytes } };
  },
  async consequences({ caller }, reads, { org }, { current, config }) {
    if (current === undefined || config === null) return [];
    const people = ({ users, groups = {} }: Org) => ({ users, groups });
    const { caller: names } = peopleContext(caller, undefined);
    const [before, after] = [people(current.config), people(config)];
    const found = organizationConsequences(before, after, names);
    const sites = await reads.listSiteNames(org, { limit: Number.MAX_SAFE_INTEGER });
    const shared = found.map((what) => ({ what, sites: ON_ALL_SITES.has(what.kind) ? sites : [] }));
    if (sameValue(before.groups, after.groups)) return groupConsequences(shared);
    const context = { caller: names, organization: after.groups, users: config.users };
    return groupConsequences([...shared, ...(await sharedGroupChanges(reads, org, before.groups, context))]);
  },
  async put(_context, writes, { name: { org } }, { config, etag }, version) {
    if (config !== null && etag !== undefined) await writes.putOrg({ org, config, etag, version });
  },
};

/** What happens to people with a role in the organization: they have it on each of its sites. */
const ON_ALL_SITES: ReadonlySet<Consequence['kind']> = new Set(['people-lost', 'people-gained', 'account-removed', 'everyone', 'domain']);
/** Sites whose lists are read at once. */
const PAGE = { limit: 500, bytes: 8_000_000 };

/** What changed groups do to the people of sites whose lists name them. */
async function sharedGroupChanges(reads: Reads, org: string, earlier: Groups, context: PeopleContext) {
  const found: { what: Consequence; sites: readonly string[] }[] = [];
  const pause = createTimeSlices();
  let page: readonly StoredSite[] = [];
  do {
    page = await reads.listSites(org, { after: page.at(-1)?.site ?? '', ...PAGE });
    for (const { site, aggregate } of page) {
      await pause();
      for (const what of sharedGroupConsequences(aggregate, earlier, context)) found.push({ what, sites: [site] });
    }
  } while (page.length > 0);
  return found;
}

export function changeOrg(context: Context, change: OrgChange): Promise<Outcome> {
  return changeDocument(context, ORGS, change);
}

/** The stored organization after a claim: its claimant is its first admin. */
function claimedOrg(context: Context, name: string, input: OrgInput, claimant: User): Org {
  const isClaimant = (email: string) => email.toLowerCase() === claimant.email.toLowerCase();
  const sent = input.users ?? [];
  const roles = sent.filter((user) => isClaimant(user.email)).flatMap((user) => user.roles);
  const first = { email: claimant.email, roles: [...new Set(['admin' as const, ...roles])] };
  const users = [first, ...sent.filter((user) => !isClaimant(user.email))];
  return completed(context, name, { ...input, users }, [], context.now().toISOString());
}

/** The stored organization after a replacement: omitted users stay, and keep their identifiers. */
function replacedOrg(context: Context, before: Org, input: OrgInput): Org {
  return completed(context, before.name, { ...input, users: input.users ?? before.users }, before.users, before.created);
}

/**
 * Refuses what breaks a rule of the complete organization: a duplicate user, and groups that are cyclic or nested too deeply. Pointers are
 * relative to the part of the call, like its body.
 */
function checkOrg(config: Org, view: OrgView): void {
  try {
    refuseErrors(twice(config, 'email'));
    refuseErrors(twice(config, 'id'));
    checkGroups(config.groups, { organization: config.groups });
  } catch (error) {
    throw error instanceof Refusal ? within(error, view.pointerIn?.(config) ?? view.pointer) : error;
  }
}

function completed(context: Context, name: string, input: OrgInput, before: readonly OrgUser[], created: string): Org {
  const users = (input.users ?? []).map((user) => ({
    ...user,
    id: user.id ?? before.find((known) => known.email.toLowerCase() === user.email.toLowerCase())?.id ?? context.newId(),
  }));
  return canonical({
    ...input,
    ...withoutValues(input),
    version: 1,
    name,
    created,
    lastModified: context.now().toISOString(),
    users,
  } satisfies Org);
}

function twice({ users }: Org, property: 'email' | 'id'): FieldError[] {
  const seen = new Set<string>();
  return users.flatMap((user, index) => {
    const value = user[property].toLowerCase();
    if (!seen.has(value)) return seen.add(value) && [];
    return [
      {
        pointer: jsonPointer(['users', index, property]),
        detail: `The user "${user[property]}" is listed twice. Keep one with all roles.`,
      },
    ];
  });
}

function within(refusal: Refusal, pointer: string): Refusal {
  const errors = (refusal.errors ?? []).map((item) => ({
    ...item,
    pointer: `${item.pointer}/`.startsWith(`${pointer}/`) ? item.pointer.slice(pointer.length) : item.pointer,
  }));
  return new Refusal(refusal.code, refusal.message, { errors });
}

export type OrgView = View<Org>;

const ENTIRE_ORG: OrgView = { pointer: '', read: (org) => org };
export const ORG_USERS: OrgView = { pointer: '/users', read: (org) => org.users };

export function userView(id: string): OrgView {
  return {
    pointer: '/users',
    pointerIn: (org) => `/users/${org.users.findIndex((user) => user.id === id)}`,
    read: (org) => userOf(org, id),
  };
}

export function userOf(org: Pick<Org, 'users'>, id: string): OrgUser | undefined {
  return org.users.find((user) => user.id === id);
}

export async function findOrg(context: Context, org: string): Promise<StoredOrg> {
  const stored = await context.store.reads.org(org);
  if (stored === undefined) throw unclaimed(org, context.caller);
  return stored;
}

/** The API keys of an organization that were issued here, for callers who may list them; otherwise none. */
export async function issuedKeys(caller: Caller, reads: Pick<Reads, 'apiKeys'>, org: Org): Promise<readonly StoredApiKey[]> {
  return rolesOf(caller, org).has('admin') ? reads.apiKeys(org.name) : [];
}

/** The organization as read: with the API keys that were issued here, never their values. The same object if there are none. */
export function withIssuedKeys(org: Org, issued: readonly StoredApiKey[]): Org {
  if (issued.length === 0) return org;
  const apiKeys = { ...org.apiKeys };
  for (const { id, roles, created, expires, description } of issued) {
    const times = { created: created.toISOString(), expiration: expires.toISOString() };
    apiKeys[id] = { id, roles: [...roles], subject: `${org.name}/*`, ...times, ...(description !== undefined && { description }) };
  }
  return canonical({ ...org, apiKeys });
}

/** Removes the issued API keys from an input: a document that was read may be sent back, but keys are stored at `apiKeys.json` only. */
function withoutIssuedKeys(input: OrgInput, issued: readonly StoredApiKey[]): OrgInput {
  if (input.apiKeys === undefined || issued.length === 0) return input;
  const known = new Set(issued.map(({ id }) => id));
  const { apiKeys, ...others } = input;
  const remaining = Object.entries(apiKeys).filter(([name]) => !known.has(name));
  return remaining.length === 0 ? others : { ...others, apiKeys: Object.fromEntries(remaining) };
}
