import { ROLE_NAMES } from '@repoless/contract/access.ts';
import { sameValue } from '@repoless/contract/json.ts';
import { hidePair } from './cdn-credentials.ts';
import type { Area, Change } from './change.ts';
import { below, besides, describeDelivery, fieldChanges, listChanges, otherChanges, type Pair } from './describe-delivery.ts';
import type { StoredDocument } from './history-port.ts';
import { at, entriesOf, isObject, keysOf, pointerTo, printed, without } from './json-values.ts';

/** Set by the service itself at every write, or described with their own messages above. */
const SERVER_SET = ['version', 'created', 'lastModified', 'name'];
const DESCRIBED = ['access', 'users', 'groups', 'public', 'headers', 'folders', 'robots', 'query', 'sitemap', 'cdn', 'content', 'code'];
const SIMPLE = ['extends', 'title', 'description'];

/**
 * The differences between two configurations, the most important first. `null` is a removal; `before` is undefined if nothing existed.
 * Returns at least one change, without values of credentials; `same` if only values set by the service differ.
 */
export function describeChange(before: StoredDocument | null | undefined, after: StoredDocument | null): Change[] {
  if (after === null) return [whole(before === null ? 'same' : 'removed')];
  if (before === undefined || before === null) return [whole(before === null ? 'returned' : 'created'), ...allChanges(hidePair({}, after))];
  const changes = allChanges(hidePair(before, after));
  return changes.length === 0 ? [whole('same')] : changes;
}

function allChanges(pair: Pair): Change[] {
  const described = describe(pair);
  return [...described, ...undescribedChanges(pair, described)];
}

function describe(pair: Pair): Change[] {
  const left = (value: unknown) => without(value, ...SERVER_SET, ...DESCRIBED, ...OPAQUE_PARTS, ...SIMPLE);
  return [
    ...describeAccess(pair),
    ...describeDelivery(pair),
    ...describeSources(pair),
    ...describeOpaqueParts(pair),
    ...fieldChanges({ area: 'other', pointer: '/extends/profile', field: 'profile' }, below(pair, 'extends', 'profile')),
    ...fieldChanges({ area: 'other', pointer: '/title', field: 'title' }, below(pair, 'title')),
    ...fieldChanges({ area: 'other', pointer: '/description', field: 'description' }, below(pair, 'description')),
    ...otherChanges('other', [], { before: left(pair.before), after: left(pair.after) }),
  ];
}

function whole(kind: 'created' | 'returned' | 'removed' | 'same'): Change {
  return { kind, area: 'whole', pointer: '' };
}

function describeAccess(pair: Pair): Change[] {
  return [...describeRoles(below(pair, 'access')), ...describeUsers(below(pair, 'users')), ...describeGroups(below(pair, 'groups'))];
}

const HOSTS = ['site', 'preview', 'live'] as const;

function describeRoles(access: Pair): Change[] {
  const admin = below(access, 'admin');
  const roles = below(admin, 'role');
  return [
    ...ROLE_NAMES.flatMap((role) => {
      const { before, after } = below(roles, role);
      const location = { area: 'access', pointer: pointerTo('access', 'admin', 'role', role), list: role } as const;
      return listChanges(location, entriesOf(before), entriesOf(after));
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
  const location = { area: 'access', of: host } as const;
  return [
    ...listChanges(
      { ...location, pointer: pointerTo('access', host, 'allow'), list: 'hostAllow' },
      entriesOf(allow.before),
      entriesOf(allow.after),
    ),
    ...fieldChanges(
      { ...location, pointer: pointerTo('access', host, 'requireAuth'), field: 'hostRequireAuth' },
      below(pair, 'requireAuth'),
    ),
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
      const location = { area: 'access', pointer: '/users', list: 'userRoles', of: email } as const;
      return listChanges(location, (old.get(email) ?? []).toSorted(), roles.toSorted());
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
      const location = { area: 'access', pointer: pointerTo('groups', name, 'members'), list: 'group', of: name } as const;
      return listChanges(location, emails(members.before), emails(members.after));
    }),
  ];
}

function emails(members: unknown): readonly string[] {
  return Array.isArray(members) ? members.map((member: unknown) => String(at(member, 'email'))).toSorted() : [];
}

const PARTS = ['secrets', 'apiKeys', 'tokens', 'features', 'limits', 'editor'] as const;
const OPAQUE_PARTS: readonly string[] = [...PARTS, 'events', 'registry'];

/** Credentials and opaque parts of a document: what was added, removed and changed. */
function describeOpaqueParts(pair: Pair): Change[] {
  return [
    ...PARTS.flatMap((part) => {
      const members = below(pair, part);
      const [old, next] = [keysOf(members.before).toSorted(), keysOf(members.after).toSorted()];
      const area: Area = part === 'apiKeys' || part === 'secrets' || part === 'tokens' ? 'access' : 'other';
      const stay = old.filter((name) => next.includes(name));
      return [
        ...listChanges({ area, pointer: `/${part}`, list: part }, old, next),
        ...stay.flatMap((name) => otherChanges(area, [part, name], below(members, name))),
      ];
    }),
    ...fieldChanges({ area: 'other', pointer: '/events/github/target', field: 'eventTarget' }, below(pair, 'events', 'github', 'target')),
    ...fieldChanges({ area: 'other', pointer: '/registry', field: 'registry' }, below(pair, 'registry')),
  ];
}

/** The sources of code and content. Values that the service derives are left out. */
function describeSources(pair: Pair): Change[] {
  return [...describeContent(below(pair, 'content')), ...describeCode(below(pair, 'code'))];
}

function describeContent(pair: Pair): Change[] {
  const source = below(pair, 'source');
  const location = { area: 'content' } as const;
  return [
    ...fieldChanges({ ...location, pointer: '/content/source/url', field: 'contentSource' }, below(source, 'url')),
    ...fieldChanges({ ...location, pointer: '/content/source/type', field: 'contentType' }, below(source, 'type')),
    ...fieldChanges({ ...location, pointer: '/content/source/suffix', field: 'contentSuffix' }, below(source, 'suffix')),
    ...otherChanges('content', ['content', 'source'], besides(source, 'url', 'type', 'suffix')),
    ...fieldChanges({ ...location, pointer: '/content/overlay/url', field: 'contentOverlay' }, below(pair, 'overlay', 'url')),
    ...otherChanges('content', ['content', 'overlay'], besides(below(pair, 'overlay'), 'url')),
    ...otherChanges('content', ['content'], besides(pair, 'source', 'overlay', 'contentBusId')),
  ];
}

function describeCode(pair: Pair): Change[] {
  const source = below(pair, 'source');
  const location = { area: 'code' } as const;
  const repository = { before: repositoryOf(pair.before), after: repositoryOf(pair.after) };
  const isNew = !sameValue(repository.before, repository.after);
  const isPublic = [source.before, source.after].every((value) => value === undefined || at(value, 'type') === 'github');
  return [
    ...fieldChanges({ ...location, pointer: '/code', field: 'repository' }, repository),
    ...fieldChanges({ ...location, pointer: '/code/source/type', field: 'codeType' }, below(source, 'type')),
    // The address of a repository on the code host only repeats its name.
    ...(isNew && isPublic ? [] : fieldChanges({ ...location, pointer: '/code/source/url', field: 'codeAddress' }, below(source, 'url'))),
    ...fieldChanges({ ...location, pointer: '/code/source/raw_url', field: 'codeRawAddress' }, below(source, 'raw_url')),
    ...fieldChanges({ ...location, pointer: '/code/source/secretId', field: 'secretName' }, below(source, 'secretId')),
    ...otherChanges('code', ['code', 'source'], besides(source, 'type', 'url', 'raw_url', 'secretId', 'owner', 'repo')),
    ...otherChanges('code', ['code'], besides(pair, 'owner', 'repo', 'source')),
  ];
}

function repositoryOf(code: unknown): string | undefined {
  const owner = printed(at(code, 'owner') ?? at(code, 'source', 'owner'));
  const repo = printed(at(code, 'repo') ?? at(code, 'source', 'repo'));
  return owner === undefined && repo === undefined ? undefined : `${owner ?? '–'}/${repo ?? '–'}`;
}

/** Parts where an empty or missing object or list has a meaning: all of an author's own settings that others depend on. */
const LOOKED_AT: ReadonlyMap<string, Area> = new Map([
  ['access', 'access'],
  ['groups', 'access'],
  ['public', 'mappings'],
  ['headers', 'other'],
  ['folders', 'other'],
  ['robots', 'other'],
  ['cdn', 'other'],
  ['sidekick', 'other'],
  ['metadata', 'other'],
  ['extends', 'other'],
]);

/**
 * Differences that no other change describes, e.g. a list that didn't exist and is empty now: a role with an empty list has no members;
 * without a list, those of the profile apply. Takes both states, and the changes already described.
 */
function undescribedChanges(pair: Pair, described: readonly Change[]): Change[] {
  const pointers = described.map(({ pointer }) => `${pointer}/`);
  const isDescribed = (pointer: string) => pointers.some((one) => one.startsWith(`${pointer}/`) || `${pointer}/`.startsWith(one));
  return [...LOOKED_AT].flatMap(([part, area]) => leaves([part], below(pair, part), isDescribed).map((change) => ({ ...change, area })));
}

function leaves(keys: readonly string[], pair: Pair, isDescribed: (pointer: string) => boolean): Extract<Change, { kind: 'other' }>[] {
  const { before, after } = pair;
  if (sameValue(before, after)) return [];
  const pointer = pointerTo(...keys);
  const names = keysOf(before, after);
  const areObjects = [before, after].every((value) => value === undefined || isObject(value));
  if (areObjects && names.length > 0) return names.flatMap((name) => leaves([...keys, name], below(pair, name), isDescribed));
  if (isDescribed(pointer)) return [];
  const [from, to] = [printed(before), printed(after)];
  return [{ kind: 'other', area: 'other', pointer, ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) }];
}
