import { ROLE_NAMES } from '@repoless/contract/access.ts';
import type { Change } from './change.ts';
import { below, besides, fieldChanges, listChanges, otherChanges } from './describe-parts.ts';
import type { Pair } from './describe-parts.ts';
import { at, entriesOf, keysOf, pointerTo } from './json-place.ts';

/** Who may do what: on the site (access), by groups, and among an organization's users. */
export function describeAccess(pair: Pair): Change[] {
  return [...describeRoles(below(pair, 'access')), ...describeUsers(below(pair, 'users')), ...describeGroups(below(pair, 'groups'))];
}

const HOSTS = ['site', 'preview', 'live'] as const;

function describeRoles(access: Pair): Change[] {
  const admin = below(access, 'admin');
  const roles = below(admin, 'role');
  return [
    ...ROLE_NAMES.flatMap((role) => {
      const { before, after } = below(roles, role);
      const place = { area: 'access', pointer: pointerTo('access', 'admin', 'role', role), list: role } as const;
      return listChanges(place, entriesOf(before), entriesOf(after));
    }),
    ...otherChanges('access', ['access', 'admin', 'role'], besides(roles, ...ROLE_NAMES)),
    ...fieldChanges(
      { area: 'access', pointer: pointerTo('access', 'admin', 'requireAuth'), field: 'requireAuth' },
      below(admin, 'requireAuth'),
    ),
    ...listChanges(
      { area: 'access', pointer: pointerTo('access', 'admin', 'defaultRole'), list: 'defaultRole' },
      entriesOf(at(admin.before, 'defaultRole')),
      entriesOf(at(admin.after, 'defaultRole')),
    ),
    ...otherChanges('access', ['access', 'admin'], besides(admin, 'role', 'requireAuth', 'defaultRole')),
    ...HOSTS.flatMap((host) => describeHost(host, below(access, host))),
    ...otherChanges('access', ['access'], besides(access, 'admin', ...HOSTS)),
  ];
}

function describeHost(host: string, pair: Pair): Change[] {
  const allow = below(pair, 'allow');
  const place = { area: 'access', of: host } as const;
  return [
    ...listChanges(
      { ...place, pointer: pointerTo('access', host, 'allow'), list: 'hostAllow' },
      entriesOf(allow.before),
      entriesOf(allow.after),
    ),
    ...fieldChanges({ ...place, pointer: pointerTo('access', host, 'requireAuth'), field: 'hostRequireAuth' }, below(pair, 'requireAuth')),
    ...otherChanges('access', ['access', host], besides(pair, 'allow', 'requireAuth')),
  ];
}

/** Users are matched by e-mail: readers don't know their identifiers. */
function describeUsers({ before, after }: Pair): Change[] {
  const old = byEmail(before);
  const next = byEmail(after);
  const names = (users: ReadonlyMap<string, readonly string[]>) => [...users.keys()];
  return [
    ...listChanges({ area: 'access', pointer: '/users', list: 'users' }, names(old).toSorted(), names(next).toSorted()),
    ...names(old).flatMap((email) => {
      const roles = next.get(email);
      if (roles === undefined) return [];
      const place = { area: 'access', pointer: '/users', list: 'userRoles', of: email } as const;
      return listChanges(place, (old.get(email) ?? []).toSorted(), roles.toSorted());
    }),
  ];
}

function byEmail(users: unknown): Map<string, readonly string[]> {
  if (!Array.isArray(users)) return new Map();
  return new Map(users.map((user: unknown) => [String(at(user, 'email')), entriesOf(at(user, 'roles'))]));
}

function describeGroups(groups: Pair): Change[] {
  const keys = (value: unknown) => keysOf(value).toSorted();
  return [
    ...listChanges({ area: 'access', pointer: '/groups', list: 'groups' }, keys(groups.before), keys(groups.after)),
    ...keysOf(groups.before, groups.after).flatMap((name) => {
      const members = below(groups, name, 'members');
      const place = { area: 'access', pointer: pointerTo('groups', name, 'members'), list: 'group', of: name } as const;
      return listChanges(place, emails(members.before), emails(members.after));
    }),
  ];
}

function emails(members: unknown): readonly string[] {
  return Array.isArray(members) ? members.map((member: unknown) => String(at(member, 'email'))).toSorted() : [];
}
