import { sameValue } from '@repoless/contract/json.ts';
import { at, isObject, without } from '@repoless/core/history/json-place.ts';
import { failureOf } from '@repoless/core/situation/call.ts';
import { commandLine as messages } from '@repoless/core/messages/en/command-line.ts';
import { CommandFailure } from '../cli-context.ts';
import { failureLine } from '../explain.ts';
import { changedParts, type Document, furtherParts } from './carried-document.ts';
import { type Carrying, objectionsTo, sentences } from './carry-document.ts';
import type { DocumentService, Stored, Written } from './document-service.ts';
import type { Carried } from './report.ts';

/** The name of the organization itself for `--replace`. */
export const ORGANIZATION = 'organization';

interface User {
  readonly id?: string;
  readonly email: string;
  readonly roles: readonly string[];
}

/**
 * Writes users, groups and the other settings of an organization to the target. Each group and user is a separate value: others stay.
 * Throws if the organization does not exist: no service lets a client create it for somebody else.
 */
export async function carrySettings({ target, isPlan, replaced }: Carrying, organization: string, settings: Document): Promise<Carried> {
  const stored = await target.read('');
  if (stored.state === 'missing') throw new CommandFailure(messages.transfer.notThere(organization, target.isHosted));
  if (stored.state === 'failed') throw new CommandFailure(failureLine(failureOf(stored)));
  const present = stored.value;
  const differs = takesTheirPlace(present.document, settings);
  const isReplaced = replaced.includes(ORGANIZATION);
  const wanted = mergedSettings(present.document, settings);
  // Different values stay and missing ones are added: sites may grant access to these groups.
  const next = differs && !isReplaced ? addedSettings(present.document, wanted) : wanted;
  const about = { of: ORGANIZATION, warnings: [], stays: furtherParts(present.document, settings) };
  const { added, changed } = changedParts(present.document, next);
  const isSame = added.length + changed.length === 0;
  const objections = isPlan || isSame ? [] : await written(target, present, next);
  const changes = sentences(present.document, wanted);
  if (objections.length > 0) return { ...about, state: 'refused', changes, objections };
  if (differs && !isReplaced) return { ...about, state: 'differs', changes, objections: [messages.transfer.organizationDiffers] };
  if (isSame) return { ...about, state: 'unchanged', changes: [], objections };
  return { ...about, state: differs ? 'replaced' : 'completed', changes, objections };
}

/** Merges groups by name and users by e-mail address; everything else part by part. */
function mergedSettings(present: Document, settings: Document): Document {
  const users = usersOf(present);
  const wanted = usersOf(settings);
  const isWanted = (user: User) => wanted.find((one) => isNamed(one, user));
  const groups = { ...groupsOf(present), ...groupsOf(settings) };
  return {
    ...present,
    ...settings,
    users: [
      ...users.map((user) => ({ ...user, roles: isWanted(user)?.roles ?? user.roles })),
      ...wanted.filter((user) => !users.some((one) => isNamed(one, user))),
    ],
    ...(Object.keys(groups).length === 0 ? {} : { groups }),
  };
}

/** The wanted values that replace nothing. */
function addedSettings(present: Document, wanted: Document): Document {
  const users = usersOf(present);
  return {
    ...wanted,
    ...present,
    users: [...users, ...usersOf(wanted).filter((user) => !users.some((one) => isNamed(one, user)))],
    ...(wanted['groups'] === undefined ? {} : { groups: { ...groupsOf(wanted), ...groupsOf(present) } }),
  };
}

/** Whether an existing value of the target would change. */
function takesTheirPlace(present: Document, settings: Document): boolean {
  const plain = (document: Document) => without(document, 'users', 'groups') as Document;
  const groups = groupsOf(present);
  const known = usersOf(present);
  return (
    changedParts(plain(present), plain(settings)).changed.length > 0 ||
    Object.entries(groupsOf(settings)).some(([name, group]) => groups[name] !== undefined && !sameValue(groups[name], group)) ||
    usersOf(settings).some((user) => known.some((one) => isNamed(one, user) && !hasSameRoles(one, user)))
  );
}

/** Writes groups first, because they may be users. Takes the organization before and after; returns the target's objections. */
async function written(target: DocumentService, present: Stored, next: Document): Promise<string[]> {
  const objections: string[] = [];
  for (const request of requests(present, next)) {
    const answer = await target.written(request);
    if (answer.state === 'failed') objections.push(...objectionsTo(answer.failure));
  }
  return objections;
}

function requests({ document: present, etag }: Stored, next: Document): Written[] {
  const [groups, users] = [groupsOf(present), usersOf(present)];
  const fresh = usersOf(next).filter((user) => !users.some((one) => isNamed(one, user)));
  const changed = usersOf(next).filter((user) => users.some((one) => isNamed(one, user) && !hasSameRoles(one, user)));
  const own = without(next, 'users', 'groups', 'access') as Document;
  const { added, changed: others } = changedParts(without(present, 'users', 'groups', 'access') as Document, own);
  return [
    // First, because its precondition refers to the organization as it was read.
    ...(added.length + others.length === 0 ? [] : [{ method: 'PUT', path: '.json', body: without(next, 'users'), etag } satisfies Written]),
    ...Object.entries(groupsOf(next)).flatMap(([name, group]): Written[] =>
      sameValue(groups[name], group) || added.length + others.length > 0
        ? []
        : [{ method: 'POST', path: `/groups/${encodeURIComponent(name)}.json`, body: group }],
    ),
    ...(fresh.length === 0 ? [] : [{ method: 'POST', path: '/users.json', body: fresh } satisfies Written]),
    ...changed.map((user): Written => ({
      method: 'POST',
      path: `/users/${encodeURIComponent(user.id ?? '')}.json`,
      body: without(user, 'id'),
    })),
    ...(sameValue(at(present, 'access', 'admin'), at(next, 'access', 'admin')) || added.length + others.length > 0
      ? []
      : [{ method: 'POST', path: '/access/admin.json', body: at(next, 'access', 'admin') } satisfies Written]),
  ];
}

function groupsOf(document: Document): Document {
  return isObject(document['groups']) ? document['groups'] : {};
}

function usersOf(document: Document): readonly User[] {
  const users: unknown = document['users'];
  // Safe: a service returned it; if it comes from a file, the target checks it.
  return Array.isArray(users) ? (users as User[]) : [];
}

function isNamed(one: User, other: User): boolean {
  return one.email.toLowerCase() === other.email.toLowerCase();
}

function hasSameRoles(one: User, other: User): boolean {
  return sameValue(one.roles.toSorted(), other.roles.toSorted());
}
