import type { endpoints } from '#contract/endpoints.ts';
import type { Org, OrgUser, OrgUserInput } from '#contract/org.ts';
import { etagOf } from '../canonical.ts';
import { Refusal } from '../errors.ts';
import type { StoredOrg } from '../ports.ts';
import { unclaimed } from '../roles/permit.ts';
import type { Context } from '../context.ts';
import type { Input, Operation, Outcome } from '../operation.ts';
import { changeOrg, orgRequest } from './change-org.ts';
import { findOrg } from './find-org.ts';
import { ORG_USERS, userOf, userView } from './org-view.ts';

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
 * Adds a user; one whose e-mail is there already is refused, so that nobody's roles are replaced by accident. A list, as the
 * public service exports it, replaces all users, like every part that is set.
 */
export const addOrgUser: Operation<Rows['addOrgUser']> = (context, input) => {
  const { body } = input;
  if (Array.isArray(body)) return setOrgUsers(context, input, body);
  const id = context.newId();
  return changeOrg(context, {
    ...orgRequest(input),
    permission: 'org:write',
    action: 'add-user',
    view: ORG_USERS,
    answers: userView(id),
    next: (present) => {
      const config = claimed(present, input.params.org);
      refuseOther(config, body);
      return { ...config, users: [...config.users, userFrom(body, id)] };
    },
  });
};

function setOrgUsers(context: Context, input: Input<Rows['addOrgUser']>, users: OrgUserInput[]): Promise<Outcome> {
  return changeOrg(context, {
    ...orgRequest(input),
    permission: 'org:write',
    action: 'set-users',
    view: ORG_USERS,
    next: (present) => ({ ...claimed(present, input.params.org), users }),
  });
}

export const setOrgUser: Operation<Rows['setOrgUser']> = (context, input) => {
  const { user: id } = input.params;
  return changeOrg(context, {
    ...orgRequest(input),
    permission: 'org:write',
    action: `set-user/${id}`,
    view: userView(id),
    next: (present) => {
      const config = claimed(present, input.params.org);
      if (userOf(config, id) === undefined) throw userNotFound(input.params);
      refuseOther(config, input.body, id);
      return { ...config, users: config.users.map((user) => (user.id === id ? userFrom(input.body, id) : user)) };
    },
  });
};

export const deleteOrgUser: Operation<Rows['deleteOrgUser']> = (context, input) => {
  const { user: id } = input.params;
  return changeOrg(context, {
    ...orgRequest(input),
    permission: 'org:write',
    action: `delete-user/${id}`,
    view: userView(id),
    next: (present) => {
      const config = claimed(present, input.params.org);
      if (userOf(config, id) === undefined) throw userNotFound(input.params);
      return { ...config, users: config.users.filter((user) => user.id !== id) };
    },
  });
};

/** The identifier is the service's own, whatever the client sends. */
function userFrom({ email, name, roles }: OrgUserInput, id: string): OrgUser {
  return { id, email, roles: [...new Set(roles)], ...(name === undefined ? {} : { name }) };
}

function refuseOther({ users }: Org, { email }: OrgUserInput, id?: string): void {
  const other = users.find((user) => user.id !== id && user.email.toLowerCase() === email.toLowerCase());
  if (other === undefined) return;
  throw new Refusal('USER_EXISTS', `The user "${other.email}" already exists. Change its roles at users/${other.id}.json.`, {
    data: { id: other.id },
  });
}

function claimed(present: StoredOrg | undefined, org: string): Org {
  if (present === undefined) throw unclaimed(org);
  return present.config;
}

function userNotFound({ org, user }: { org: string; user: string }): Refusal {
  return new Refusal('USER_NOT_FOUND', `The organization "${org}" has no user "${user}". The list of users shows their identifiers.`);
}
