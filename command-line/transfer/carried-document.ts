import { DEFAULT_PROFILE } from '@repoless/contract/aggregate-site.ts';
import { sameValue, Json } from '@repoless/contract/json.ts';
import { at, isObject, without } from '@repoless/core/history/json-values.ts';
import { asMap } from '@repoless/upstream/document.ts';
import { OrgName } from '@repoless/contract/names.ts';
import { commandLine as messages } from '@repoless/core/messages/en/command-line.ts';
import type { LeftKind } from '@repoless/core/messages/en/command-line-hosted.ts';
import { z } from 'zod';
import type { CommandResult } from '../cli-context.ts';

export type Document = Readonly<Record<string, unknown>>;

/** Set by each service itself. */
const SERVER_SET = ['version', 'created', 'lastModified', 'name'];
/** No service shows their values; their names are reported as `Left`. */
const CREDENTIALS = ['secrets', 'apiKeys', 'tokens'];

/** Splits a document, named by `of`, into what another service can take, and the rest. */
export function carriedOf(of: string, document: Document): { readonly document: Document; readonly left: readonly Left[] } {
  const { content, cdn, users } = document;
  const prod = at(cdn, 'prod');
  const type = at(prod, 'type');
  const isGuarded = hasCredentials(prod);
  const carried = {
    ...(without(document, ...SERVER_SET, ...CREDENTIALS) as Document),
    ...(content === undefined ? {} : { content: without(content, 'contentBusId') }),
    ...(cdn === undefined ? {} : { cdn: isGuarded ? withoutCredentials(cdn) : cdn }),
    ...(Array.isArray(users) ? { users: users.map((user: unknown) => without(user, 'id')) } : {}),
  };
  return {
    document: carried,
    left: [
      ...names(document['secrets']).map((name): Left => ({ of, kind: 'secret', name })),
      ...names(document['apiKeys'], 'description').map((name): Left => ({ of, kind: 'api-key', name })),
      ...names(document['tokens']).map((name): Left => ({ of, kind: 'site-token', name })),
      ...(isGuarded ? [{ of, kind: 'cdn', name: String(type) } as const] : []),
    ],
  };
}

/** The profile that a site extends, by name or by default; undefined if none. */
export function profileOf(site: Document): string | undefined {
  const name = site['extends'] === undefined ? DEFAULT_PROFILE : at(site, 'extends', 'profile');
  return typeof name === 'string' ? name : undefined;
}

/** The names of credentials, given by identifier. `title`: the member that people know them by. */
function names(credentials: unknown, title?: string): string[] {
  return Object.entries(asMap(credentials)).map(([id, one]) => {
    const known = title === undefined ? undefined : at(one, title);
    return typeof known === 'string' && known !== '' ? known : id;
  });
}

/** Every kind of production CDN has credentials, except the vendor's. */
function hasCredentials(prod: unknown): boolean {
  const type = at(prod, 'type');
  return type !== undefined && type !== 'managed';
}

/** A CDN with a type is refused without its credentials; a host without a type is accepted. */
function withoutCredentials(cdn: unknown): unknown {
  const host = at(cdn, 'prod', 'host');
  const others = without(cdn, 'prod') as Document;
  return typeof host === 'string' && host !== '' ? { ...others, prod: { host } } : others;
}

/**
 * The document that the target should have: the file's parts merged over the current ones. A part with the same meaning keeps its current
 * form.
 */
export function mergedDocument(current: Document, document: Document): Document {
  const parts = Object.entries(document).map(([name, value]) => [name, isSamePart(name, current[name], value) ? current[name] : value]);
  return { ...current, ...Object.fromEntries(parts) };
}

/** Parts that exist in both documents with different values; parts missing in the current one are additions. */
export function changedParts(
  current: Document,
  next: Document,
): { readonly added: readonly string[]; readonly changed: readonly string[] } {
  const differing = Object.keys(next).filter(
    (name) => !SERVER_SET.includes(name) && !CREDENTIALS.includes(name) && !isSamePart(name, current[name], next[name]),
  );
  return {
    added: differing.filter((name) => isEmpty(name, current[name])),
    changed: differing.filter((name) => !isEmpty(name, current[name])),
  };
}

export function furtherParts(current: Document, document: Document): string[] {
  const own = without(current, ...SERVER_SET, ...CREDENTIALS) as Document;
  return Object.keys(own).filter((name) => document[name] === undefined && !isEmpty(name, own[name]));
}

/** An empty part is equivalent to a missing one, except `extends`: without a name it keeps a site from the default profile. */
function isEmpty(name: string, value: unknown): boolean {
  if (value === undefined) return true;
  return name !== 'extends' && typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

/** Whether a part means the same to two services, each of which stores it in its own form. */
function isSamePart(name: string, one: unknown, other: unknown): boolean {
  if (isEmpty(name, one) && isEmpty(name, other)) return true;
  return sameValue(comparable(name, one), comparable(name, other));
}

function comparable(name: string, value: unknown): unknown {
  switch (name) {
    // The hosted service names each content source itself.
    case 'content':
      return without(value, 'contentBusId');
    // The hosted service stores an external repository as `github`, with the same addresses.
    case 'code':
      return isObject(value) ? { ...value, source: without(value['source'], 'type') } : value;
    // `auto` is the default; the hosted service writes it with the first administrators.
    case 'access':
      return isObject(value) ? { ...value, admin: withoutAuto(value['admin']) } : value;
    case 'cdn':
      return hasCredentials(at(value, 'prod')) ? withoutCredentials(value) : value;
    case 'users':
      return Array.isArray(value) ? value.map(comparableUser).toSorted(byText) : value;
    default:
      return value;
  }
}

function withoutAuto(admin: unknown): unknown {
  return at(admin, 'requireAuth') === 'auto' ? without(admin, 'requireAuth') : admin;
}

function comparableUser(user: unknown): unknown {
  const roles = at(user, 'roles');
  return { email: String(at(user, 'email')).toLowerCase(), roles: Array.isArray(roles) ? roles.toSorted(byText) : roles };
}

function byText(one: unknown, other: unknown): number {
  return JSON.stringify(one) < JSON.stringify(other) ? -1 : 1;
}

/** Parts of a configuration by name. The target service decides what they may contain. */
const Settings = z
  .object({ users: z.array(z.object({ email: z.string(), roles: z.array(z.string()) }).catchall(Json)).optional() })
  .catchall(Json);
const Named = z.object({ name: z.string().min(1) }).catchall(Json);

const LEFT_KINDS = [
  'secret',
  'api-key',
  'site-token',
  'cdn',
  'unread-keys',
  'unknown-members',
  'no-such-part',
] as const satisfies readonly LeftKind[];

/** Something that is not in the file. `of`: `organization`, `profiles/<name>` or `sites/<name>`; `name` is never a value. */
export const Left = z.strictObject({ of: z.string(), kind: z.enum(LEFT_KINDS), name: z.string() });
export type Left = z.infer<typeof Left>;

/**
 * Everything of an organization that one service can pass to another, without credentials: `export --from` writes it, `plan --to` and
 * `apply --to` read it. Profiles and sites are transferred in file order.
 */
export const OrganizationFile = z
  .strictObject({
    version: z.literal(1, { error: 'The only version is 1.' }),
    organization: OrgName,
    /** The service that it was read from. */
    from: z.url({ protocol: /^https?$/ }),
    settings: Settings,
    profiles: z.array(Named),
    sites: z.array(Named).max(50_000),
    notCarried: z.array(Left),
  })
  .superRefine((file, context) => {
    for (const list of ['profiles', 'sites'] as const) {
      const names = new Set<string>();
      for (const [index, { name }] of file[list].entries()) {
        if (names.has(name)) context.addIssue({ code: 'custom', path: [list, index, 'name'], message: messages.transfer.sameName(name) });
        names.add(name);
      }
    }
  });
export type OrganizationFile = z.infer<typeof OrganizationFile>;

/** The actual or planned result for the organization, a profile or a site. */
export interface Carried {
  /** `organization`, `profiles/<name>` or `sites/<name>`. */
  readonly of: string;
  readonly state: 'created' | 'completed' | 'replaced' | 'unchanged' | 'differs' | 'refused' | 'stopped';
  /** What is written, or would be if it did not differ. */
  readonly changes: readonly string[];
  /** The target's objections: why all or part of it is not written. */
  readonly objections: readonly string[];
  readonly warnings: readonly string[];
  /** Parts that exist only in the target; they stay. */
  readonly stays: readonly string[];
}

interface Transfer {
  readonly organization: string;
  readonly from: string;
  readonly to: string;
  readonly carried: readonly Carried[];
  readonly left: readonly Left[];
  readonly isPlan: boolean;
}

/** 0: everything transferable is there; 3: it would be; 1: something was refused, differs, or was not started. */
export function transferResult({ organization, from, to, carried, left, isPlan }: Transfer): CommandResult {
  const count = (state: Carried['state']) => carried.filter((one) => one.state === state).length;
  const summary = {
    created: count('created'),
    completed: count('completed'),
    replaced: count('replaced'),
    unchanged: count('unchanged'),
    differs: count('differs'),
    refused: count('refused'),
    stopped: count('stopped'),
  };
  const stuck = summary.differs + summary.refused + summary.stopped;
  const isUnchanged = summary.unchanged === carried.length;
  const code = stuck > 0 ? 1 : isPlan && !isUnchanged ? 3 : 0;
  return {
    code,
    json: { organization, from, to, summary, carried, notCarried: left },
    lines: [
      ...carried.flatMap((one) => linesOf(one, isPlan)),
      isUnchanged ? messages.transfer.nothing : messages.transfer.summary(summary, isPlan),
      ...(!isPlan && summary.refused + summary.stopped > 0 ? [messages.transfer.again] : []),
      ...leftLines(left),
      ...(isPlan || isUnchanged ? [] : [messages.transfer.always]),
    ],
  };
}

function linesOf({ of, state, changes, objections, warnings, stays }: Carried, isPlan: boolean): string[] {
  const notes = [...changes, ...warnings, ...objections, ...(stays.length === 0 ? [] : [messages.transfer.stays(stays)])];
  if (state === 'unchanged' && notes.length === 0) return [];
  return [`${messages.transfer.states[state][isPlan ? 'would' : 'done']} ${of}`, ...notes.map((line) => `  ${line}`)];
}

/** What people have to do themselves. */
export function leftLines(left: readonly Left[]): string[] {
  if (left.length === 0) return [];
  return [messages.transfer.left, ...left.map(({ of, kind, name }) => `  ${messages.transfer.leftLine(of, kind, shown(name))}`)];
}

/** People wrote some of them: no control character may reach a terminal. */
function shown(name: string): string {
  return /^[\w ./@|,=+-]*$/.test(name) ? name : JSON.stringify(name);
}
