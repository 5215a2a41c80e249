import type { endpoints } from '@repoless/contract/endpoints.ts';
import type { Org, OrgUser, OrgUserInput } from '@repoless/contract/org.ts';
import { unclaimed } from '../access/permit.ts';
import { etagOf } from '../domain/documents.ts';
import type { Context, Input, Operation, Outcome } from '../domain/context.ts';
import { bodyInvalid, Refusal } from '@repoless/contract/refusal.ts';
import type { StoredOrg } from '../domain/ports.ts';
import { requestOf } from '../changes/change-document.ts';
import { changeOrg, findOrg, ORG_USERS, ORGS, userOf, userView } from './org-document.ts';

type Rows = typeof endpoints;

export const listOrgUsers: Operation<Rows['listOrgUsers']> = async (context, { params }) => {
  const { config } = await findOrg(context, params.org);
  return { result: 'done', body: config.users, etag: etagOf(config.users) };
};

export const getOrgUser: Operation<Rows['getOrgUser']> = async (context, { params }) => {
  const { config } = await findOrg(context, params.org);
  const user = userOf(config, params.user);
  if (user === undefined) throw userNotFound(params);
  return { result: 'done', body: user, etag: etagOf(user) };
};

/**
 * Adds one user or several. An e-mail address that is already listed is refused, so that roles are not replaced by accident. In a list, users with
 * the identifier of an existing one replace it; none is removed.
 */
export const addOrgUser: Operation<Rows['addOrgUser']> = (context, input) => {
  const { body } = input;
  if (Array.isArray(body)) return addOrgUsers(context, input, body);
  const id = context.newId();
  return changeOrg(context, {
    ...requestOf(ORGS, input),
    permission: 'org:write',
    action: 'add-user',
    view: ORG_USERS,
    answers: userView(id),
    next: (current) => {
      const config = claimed(current, input.params.org);
      refuseOther(config, body);
      return { ...config, users: [...config.users, userFrom(body, id)] };
    },
  });
};

function addOrgUsers(context: Context, input: Input<Rows['addOrgUser']>, sent: OrgUserInput[]): Promise<Outcome> {
  const emails = new Set(sent.map(({ email }) => email.toLowerCase()));
  return changeOrg(context, {
    ...requestOf(ORGS, input),
    permission: 'org:write',
    action: 'add-user',
    view: ORG_USERS,
    answers: { ...ORG_USERS, read: ({ users }) => users.filter(({ email }) => emails.has(email.toLowerCase())) },
    next: (current) => {
      const config = claimed(current, input.params.org);
      refuseTwice(sent);
      return { ...config, users: withUsers(context, config.users, sent) };
    },
  });
}

/** In their order, new ones last. */
function withUsers({ newId }: Context, current: readonly OrgUser[], sent: readonly OrgUserInput[]): OrgUser[] {
  const byId = new Map(current.map((user) => [user.id, user]));
  const byEmail = new Map(current.map((user) => [user.email.toLowerCase(), user]));
  const [replaced, added] = [new Map<string, OrgUser>(), [] as OrgUser[]];
  for (const user of sent) {
    const other = byEmail.get(user.email.toLowerCase());
    const known = (user.id === undefined ? undefined : byId.get(user.id)) ?? other;
    if (other !== undefined && other.id !== user.id && !(known === other && sameRoles(other, user))) throw userExists(other);
    if (known === undefined) added.push(userFrom(user, user.id ?? newId()));
    else replaced.set(known.id, userFrom(user, known.id));
  }
  return [...current.map((user) => replaced.get(user.id) ?? user), ...added];
}

function sameRoles(one: Pick<OrgUser, 'roles'>, other: Pick<OrgUser, 'roles'>): boolean {
  const [roles, others] = [new Set(one.roles), new Set(other.roles)];
  return roles.size === others.size && [...roles].every((role) => others.has(role));
}

function refuseTwice(sent: readonly OrgUserInput[]): void {
  const seen = new Set<string>();
  for (const [index, { email }] of sent.entries()) {
    if (seen.has(email.toLowerCase())) {
      throw bodyInvalid(`/${index}/email`, `The user "${email}" is listed twice. Keep one with all roles.`);
    }
    seen.add(email.toLowerCase());
  }
}

export const setOrgUser: Operation<Rows['setOrgUser']> = (context, input) => {
  const { user: id } = input.params;
  return changeOrg(context, {
    ...requestOf(ORGS, input),
    permission: 'org:write',
    action: `set-user/${id}`,
    view: userView(id),
    next: (current) => {
      const config = claimed(current, input.params.org);
      if (userOf(config, id) === undefined) throw userNotFound(input.params);
      refuseOther(config, input.body, id);
      return { ...config, users: config.users.map((user) => (user.id === id ? userFrom(input.body, id) : user)) };
    },
  });
};

export const deleteOrgUser: Operation<Rows['deleteOrgUser']> = (context, input) => {
  const { user: id } = input.params;
  return changeOrg(context, {
    ...requestOf(ORGS, input),
    permission: 'org:write',
    action: `delete-user/${id}`,
    view: userView(id),
    next: (current) => {
      const config = claimed(current, input.params.org);
      if (userOf(config, id) === undefined) throw userNotFound(input.params);
      return { ...config, users: config.users.filter((user) => user.id !== id) };
    },
  });
};

/** The service assigns the identifier, whatever the client sends. */
function userFrom({ email, name, roles }: OrgUserInput, id: string): OrgUser {
  return { id, email, roles: [...new Set(roles)], ...(name === undefined ? {} : { name }) };
}

function refuseOther({ users }: Org, { email }: OrgUserInput, id?: string): void {
  const other = users.find((user) => user.id !== id && user.email.toLowerCase() === email.toLowerCase());
  if (other !== undefined) throw userExists(other);
}

function userExists({ id, email }: OrgUser): Refusal {
  return new Refusal('USER_EXISTS', `The user "${email}" already exists. Change its roles at users/${id}.json.`, { data: { email, id } });
}

function claimed(current: Pick<StoredOrg, 'config'> | undefined, org: string): Org {
  if (current === undefined) throw unclaimed(org);
  return current.config;
}

function userNotFound({ org, user }: { org: string; user: string }): Refusal {
  return new Refusal('USER_NOT_FOUND', `The organization "${org}" has no user "${user}". The list of users shows their identifiers.`, {
    data: { org, user },
  });
}
