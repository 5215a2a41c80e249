import { difference } from '@repoless/contract/difference.ts';
import { RoleName } from '@repoless/contract/access.ts';
import type { OrgUser, OwnOrgs } from '@repoless/contract/org.ts';
import { checkPreconditions, Refusal } from '@repoless/contract/refusal.ts';
import { parseJson } from '@repoless/core/api/exchange.ts';
import { type Call, type Operation, type Outcome, read, send, tried } from './call.ts';
import { ORG } from './document.ts';
import { etagOf, type Raw } from './documents.ts';
import { partOperations } from './parts.ts';

const groups = partOperations(ORG, ({ group = '' }) => ['groups', group]);
const access = partOperations(ORG, () => ['access', 'admin']);

export const ORGANIZATION_OPERATIONS: Readonly<Record<string, Operation>> = {
  /** Nobody is told of which organizations they are: of a key it is written in the key. */
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
    const body = await user(call);
    return { status: 200, body, etag: etagOf(body) };
  },
  addOrgUser: async (call) => {
    const body = call.body as Omit<OrgUser, 'id'>;
    const present = await users(call);
    const known = present.find(({ email }) => email.toLowerCase() === body.email.toLowerCase());
    // The hosted service would add the person a second time.
    if (known !== undefined)
      throw new Refusal('USER_EXISTS', `The organization already has the user ${known.email}.`, {
        data: { email: known.email, id: known.id },
      });
    checkPreconditions(call, etagOf(present));
    if (call.isDryRun) return tried({ status: 201, result: body, diff: difference(present, [...present, body]) });
    return await written(call, 'users', 'POST', body, 201);
  },
  setOrgUser: async (call) => {
    const present = await user(call);
    checkPreconditions(call, etagOf(present));
    const body = { ...(call.body as OrgUser), id: present.id };
    if (call.isDryRun) return tried({ status: 200, result: body, diff: difference(present, body) });
    return await written(call, `users/${present.id}`, 'POST', body, 200);
  },
  deleteOrgUser: async (call) => {
    const present = await user(call);
    checkPreconditions(call, etagOf(present));
    if (call.isDryRun) return tried({ status: 204, result: null, diff: difference(present, null) });
    return await written(call, `users/${present.id}`, 'DELETE', undefined, 204);
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
  return Array.isArray(found) ? (found as OrgUser[]) : [];
}

async function user(call: Call): Promise<OrgUser> {
  const { org = '', user: id = '' } = call.params;
  const found = (await users(call)).find((one) => one.id === id || one.email === id);
  if (found === undefined) throw new Refusal('USER_NOT_FOUND', `The organization has no user "${id}".`, { data: { org, user: id } });
  return found;
}

async function written(call: Call, part: string, method: 'POST' | 'DELETE', json: unknown, status: number): Promise<Outcome> {
  const answer = await send(call, 'orgPart', { ...call.params, part }, { method, ...(json === undefined ? {} : { json }) });
  return status === 204 ? { status } : { status, body: parseJson(answer.text) ?? json };
}
