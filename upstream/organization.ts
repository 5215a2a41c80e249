import { RoleName } from '@repoless/contract/access.ts';
import { OrgUser, type OrgUserInput, OrgUserList, type OwnOrgs } from '@repoless/contract/org.ts';
import { bodyInvalid, Refusal } from '@repoless/contract/refusal.ts';
import type { HostedAnswer } from './fetch-hosted.ts';
import { type Call, type Operation, read, send } from './call.ts';
import { change } from './change.ts';
import { eachPart, type Edit } from './write.ts';
import { etagOf, ORG, parseTolerantly, type Raw } from './document.ts';
import { partOperations } from './parts.ts';

const groups = partOperations(ORG, ({ group = '' }) => ['groups', group], groupMissing);
const access = partOperations(ORG, () => ['access', 'admin']);

export const ORGANIZATION_OPERATIONS: Readonly<Record<string, Operation>> = {
  /** The hosted service does not list a caller's organizations; an API key names its own. */
  listOwnOrgs: async ({ credential }) => {
    const [name = ''] = credential?.subject?.split('/') ?? [];
    const roles = (credential?.roles ?? []).flatMap((role) => RoleName.safeParse(role).data ?? []);
    return { status: 200, body: { orgs: name === '' || roles.length === 0 ? [] : [{ name, roles }] } satisfies OwnOrgs };
  },
  listOrgUsers: async (call) => {
    const body = await users(call);
    return { status: 200, body, etag: etagOf(body) };
  },
  getOrgUser: async (call) => {
    const body = userOf(await users(call), call);
    if (body === undefined) throw userMissing(call);
    return { status: 200, body, etag: etagOf(body) };
  },
  addOrgUser: async (call) => {
    // Safe: parsed by the row of the call.
    const body = call.body as OrgUserInput | readonly OrgUserInput[];
    const sent = 'email' in body ? [body] : body;
    const twice = sent.findIndex((user, index) => sent.findIndex((other) => isNamed(user, other)) < index);
    if (twice >= 0) throw listedTwice(sent[twice]?.email ?? '', twice);
    const added = (current: readonly OrgUser[]) => sent.filter((user) => !current.some((one) => isSame(one, user)));
    let fresh: readonly OrgUserInput[] = [];
    return await change(call, ORG, {
      view: ['users'],
      next: (current) => {
        const known = usersOf(current);
        fresh = 'email' in body ? sent : added(known);
        refuseTwice(known, fresh);
        return { ...current, users: [...known, ...fresh] };
      },
      answers: (shown) => {
        const stored = sent.map((user) => usersOf(shown).findLast((one) => isNamed(one, user)));
        return 'email' in body ? stored[0] : stored;
      },
      send: async () => {
        const byEmail = new Map(fresh.map((user) => [user.email, user]));
        return await eachPart([...byEmail.keys()], async (email) => await written(call, 'users', 'POST', byEmail.get(email)));
      },
    });
  },
  setOrgUser: (call) => {
    const { user: id = '' } = call.params;
    // Safe: parsed by the row of the call.
    const body = { ...(call.body as OrgUserInput), id };
    return change(call, ORG, {
      ...userEdit(call, (all) => {
        refuseTwice(
          all.filter((one) => one.id !== id),
          [body],
        );
        return all.map((one) => (one.id === id ? body : one));
      }),
      send: () => written(call, `users/${id}`, 'POST', body),
    });
  },
  deleteOrgUser: (call) => {
    const { user: id = '' } = call.params;
    return change(call, ORG, {
      ...userEdit(call, (all) => all.filter((one) => one.id !== id)),
      send: () => written(call, `users/${id}`, 'DELETE'),
    });
  },
  listOrgGroups: async (call) => {
    const raw = (await read(call, 'org', call.params)) as Raw | undefined;
    const body = raw?.['groups'] ?? {};
    return { status: 200, body, etag: etagOf(body) };
  },
  getOrgGroup: groups.get,
  setOrgGroup: groups.set,
  deleteOrgGroup: groups.remove,
  getOrgAccessAdmin: access.get,
  setOrgAccessAdmin: access.set,
  deleteOrgAccessAdmin: access.remove,
};

async function users(call: Call): Promise<readonly OrgUser[]> {
  const found = await read(call, 'orgPart', { ...call.params, part: 'users' });
  // Entries that are not users of the contract are left out, as in every list of the hosted service.
  return Array.isArray(found)
    ? (parseTolerantly(OrgUserList, found).value as unknown[]).flatMap((one) => OrgUser.safeParse(one).data ?? [])
    : [];
}

/** Safe: fitted to the schema of an organization. */
function usersOf(shown: Raw | undefined): readonly OrgUser[] {
  return (shown?.['users'] as readonly OrgUser[] | undefined) ?? [];
}

function userOf(all: readonly OrgUser[], { params }: Call): OrgUser | undefined {
  return all.find(({ id }) => id === params['user']);
}

function userEdit(call: Call, next: (all: readonly OrgUser[]) => readonly OrgUser[]): Edit {
  return {
    view: ['users'],
    reads: (shown) => userOf(usersOf(shown), call),
    next: (current) => {
      if (userOf(usersOf(current), call) === undefined) throw userMissing(call);
      return { ...current, users: next(usersOf(current)) };
    },
  };
}

function isNamed(one: Pick<OrgUser, 'email'>, other: Pick<OrgUser, 'email'>): boolean {
  return one.email.toLowerCase() === other.email.toLowerCase();
}

function isSame(one: OrgUser, other: OrgUserInput): boolean {
  return isNamed(one, other) && one.roles.toSorted().join() === other.roles.toSorted().join();
}

/** The hosted service would add the person a second time. */
function refuseTwice(current: readonly OrgUser[], fresh: readonly OrgUserInput[]): void {
  const known = current.find((one) => fresh.some((user) => isNamed(one, user)));
  if (known === undefined) return;
  throw new Refusal('USER_EXISTS', `The organization already has the user ${known.email}.`, { data: { email: known.email, id: known.id } });
}

function listedTwice(email: string, index: number): Refusal {
  return bodyInvalid(`/${index}/email`, `The user "${email}" is listed twice. Keep one with all roles.`);
}

function userMissing({ params: { org = '', user = '' } }: Call): Refusal {
  return new Refusal('USER_NOT_FOUND', `The organization has no user "${user}".`, { data: { org, user } });
}

function groupMissing({ org = '', group = '' }: Call['params']): Refusal {
  return new Refusal('GROUP_NOT_FOUND', `The organization "${org}" has no group "${group}".`, { data: { org, group } });
}

async function written(call: Call, part: string, method: 'POST' | 'DELETE', json?: unknown): Promise<HostedAnswer> {
  return await send(call, 'orgPart', { ...call.params, part }, { method, ...(json === undefined ? {} : { json }) });
}
