import type { VersionEntry } from '@repoless/contract/history.ts';
import { difference } from '@repoless/contract/difference.ts';
import { checkPreconditions, Refusal } from '@repoless/contract/refusal.ts';
import { printAddress } from '@repoless/core/api/client.ts';
import { z } from 'zod';
import { type Call, type Operation, type Outcome, read, send, dryRunAnswer } from './call.ts';
import {
  asMap,
  CREDENTIALS,
  etagOf,
  parseStored,
  isoTime,
  type Kind,
  load,
  ORG,
  ownMembers,
  withValueAt,
  type Raw,
  subjectOf,
} from './document.ts';
import { changeWithDocuments, recentChanges, type StoredChange } from './store.ts';
import { sameValue, valueAt } from '@repoless/contract/json.ts';
import { revealCredentials } from '@repoless/core/history/cdn-credentials.ts';
import { requireOrganization } from './rules.ts';

const Entry = z.looseObject({
  version: z.number().int(),
  created: z.string().transform((time) => (Number.isNaN(Date.parse(time)) ? new Date(0).toISOString() : time)),
  name: z.string().optional(),
  user: z.string().optional(),
});
export type HostedVersion = z.infer<typeof Entry>;
const List = z.looseObject({ current: z.number().int().optional(), versions: z.array(Entry) });

const params = (call: Call, part: string) => ({ ...call.params, part });

/** The versions, the oldest first; none if the document was never stored with versions. */
export async function currentVersion(call: Call, kind: Kind): Promise<HostedVersion[]> {
  return (await list(call, kind))?.versions ?? [];
}

async function list(call: Call, kind: Kind): Promise<z.infer<typeof List> | undefined> {
  const parsed = List.safeParse(await read(call, kind.part, params(call, 'versions')));
  return parsed.success
    ? { ...parsed.data, versions: parsed.data.versions.toSorted((one, other) => one.version - other.version) }
    : undefined;
}

async function one(call: Call, kind: Kind, version: number): Promise<OwnVersion> {
  const found = await read(call, kind.part, params(call, `versions/${version}`));
  const parsed = Entry.extend({ data: z.record(z.string(), z.unknown()) }).safeParse(found);
  const stored = found === undefined ? (await storedVersions(call, kind)).find((entry) => entry.version === version) : undefined;
  if (stored !== undefined) {
    const { unknown: _unknown, ...entry } = stored;
    return entry;
  }
  if (!parsed.success) throw new Refusal('VERSION_NOT_FOUND', `There is no version ${version}.`, { data: { version: String(version) } });
  return { ...entryOf(parsed.data), data: parseStored(call, kind, parsed.data.data).shown };
}

/** The name of the version that a change creates: the caller's, followed by the identifier of the stored change. */
export function versionName({ query }: Call, id: string): string {
  const sent = query['versionName'];
  return typeof sent === 'string' && sent !== '' ? `${sent} ${id}` : id;
}

/** The identifier of a change through the bridge, at the end of its version's name. */
const OWN = / ?([0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})$/;

function entryOf({ version, created, name = '', user }: HostedVersion): VersionEntry {
  const sent = name.replace(OWN, '');
  return {
    version,
    created: new Date(created).toISOString(),
    ...(sent === '' ? {} : { name: sent }),
    ...(user === undefined ? {} : { user }),
  };
}

export function versionOperations(kind: Kind): Record<'list' | 'get' | 'compare' | 'name' | 'remove', Operation> {
  const version = (call: Call) => Number(call.params['version']);
  const written = async (call: Call, method: 'POST' | 'DELETE', json?: unknown): Promise<Outcome> => {
    const at = await one(call, kind, version(call));
    checkPreconditions(call, etagOf(at));
    const { data, ...entry } = at;
    const result = method === 'DELETE' ? null : { ...entry, name: Reflect.get(Object(json), 'name') as unknown };
    if (call.isDryRun) return dryRunAnswer({ status: method === 'DELETE' ? 204 : 200, result, diff: difference(entry, result) });
    await send(call, kind.part, params(call, `versions/${version(call)}`), { method, ...(json === undefined ? {} : { json }) });
    return method === 'DELETE' ? { status: 204 } : { status: 200, body: result, etag: etagOf({ ...result, data }) };
  };
  return {
    list: async (call) => {
      const found = await list(call, kind);
      const stored = found === undefined ? await storedVersions(call, kind) : [];
      const own = await ownChanges(call, kind);
      const versions = (found?.versions ?? []).map((entry): VersionEntry => ({
        ...entryOf(entry),
        ...(own.byVersion.get(entry.version) ?? (own.ids.has(OWN.exec(entry.name ?? '')?.[1] ?? '') ? {} : { elsewhere: true })),
      }));
      return paged(
        call,
        found?.current,
        stored.length > 0 ? stored.map(({ data: _data, unknown: _unknown, ...entry }) => entry) : versions,
      );
    },
    get: async (call) => {
      const body = await one(call, kind, version(call));
      return { status: 200, body, etag: etagOf(body) };
    },
    compare: async (call) => {
      const [from, to] = await Promise.all([one(call, kind, Number(call.params['from'])), one(call, kind, Number(call.params['to']))]);
      const body = difference(from.data, to.data);
      return { status: 200, body, etag: etagOf(body) };
    },
    name: (call) => written(call, 'POST', { name: Reflect.get(Object(call.body), 'name') ?? call.query['name'] ?? '' }),
    remove: (call) => written(call, 'DELETE'),
  };
}

/** All versions, or the requested page: the newest first, with a link to the next. */
function paged(call: Call, current: number | undefined, versions: readonly VersionEntry[]): Outcome {
  const { limit, before } = call.query;
  const isPage = typeof limit === 'number' || typeof before === 'number';
  const selected = isPage ? versions.filter(({ version }) => version < Number(before ?? Infinity)).toReversed() : versions;
  const page = selected.slice(0, typeof limit === 'number' ? limit : undefined);
  const body = { ...(current === undefined ? {} : { current }), versions: page };
  const last = page.at(-1)?.version;
  const isMore = last !== undefined && page.length < selected.length;
  const next = `<${printAddress(call.address.replace(/\?.*/, ''), {}, { limit, before: last })}>; rel="next"`;
  return { status: 200, body, etag: etagOf(body), ...(isMore ? { headers: { link: next } } : {}) };
}

interface OwnChanges {
  /** Authors of versions, which the hosted service does not name. */
  readonly byVersion: ReadonlyMap<number, { readonly user: string }>;
  readonly ids: ReadonlySet<string>;
}

async function ownChanges(call: Call, kind: Kind): Promise<OwnChanges> {
  const subject = subjectOf(kind, call.params);
  const all = (await recentChanges(call.options.store, call.params['org'] ?? '')).filter((change) => change.subject === subject);
  return {
    byVersion: new Map(all.flatMap(({ version, user }) => (version !== undefined && user !== '' ? [[version, { user }]] : []))),
    ids: new Set(all.map(({ id }) => id)),
  };
}

/** The data of a version, to restore it. Refuses a version that records a removal. */
export async function versionData(call: Call, kind: Kind, version: number): Promise<Raw> {
  const { data } = await one(call, kind, version);
  if (data === null)
    throw new Refusal('VERSION_NOT_FOUND', `Version ${version} records the removal.`, { data: { version: String(version) } });
  return data;
}

/** A version of a removed document; null: the removal itself. */
interface OwnVersion extends VersionEntry {
  readonly data: Raw | null;
}

interface StoredVersion extends OwnVersion {
  /** Paths of what is not stored of it. */
  readonly unknown: readonly string[];
}

/** Changes whose documents are read: each has two. */
const MOST = 50;

/**
 * For a site or profile removed through the bridge, its versions as stored here, the oldest first: the hosted service drops its own with
 * the document. Empty if the document exists or was not removed through the bridge. Refuses callers who may not read the organization.
 */
export async function storedVersions(call: Call, kind: Kind): Promise<readonly StoredVersion[]> {
  if (kind === ORG) return [];
  const { org = '' } = call.params;
  const subject = subjectOf(kind, call.params);
  const { store } = call.options;
  const listed = (await recentChanges(store, org)).filter((change) => change.subject === subject);
  const last = listed.at(-1);
  const removal = last && (await changeWithDocuments(store, last));
  if (removal === undefined || removal.after !== null || (await load(call, kind)) !== undefined) return [];
  await requireOrganization(call, org);
  const all: StoredChange[] = [];
  for (const one of listed.slice(-MOST)) {
    const result = await changeWithDocuments(store, one);
    if (result !== undefined) all.push(result);
  }
  const former = all.slice(0, -1).findLastIndex(({ after }) => after === null);
  const versions = new Map<number, StoredVersion>();
  for (const { version, time, user, after, unknown = [] } of all.slice(former + 1, -1))
    if (version !== undefined)
      versions.set(version, { version, created: time, ...(user === '' ? {} : { user }), data: shown(call, kind, after), unknown });
  const final = shown(call, kind, removal.before);
  const newest = [...versions.keys()].toSorted((one, other) => one - other).at(-1) ?? 0;
  const isLast = sameValue(ownMembers(versions.get(newest)?.data ?? {}), ownMembers(final));
  const { time, user, unknown = [] } = removal;
  if (!isLast)
    versions.set(newest + 1, {
      version: newest + 1,
      created: isoTime(final['lastModified']) ?? time,
      elsewhere: true,
      data: final,
      unknown,
    });
  const version = newest + (isLast ? 1 : 2);
  versions.set(version, { version, created: time, ...(user === '' ? {} : { user }), data: null, unknown: [] });
  return [...versions.values()].toSorted((one, other) => one.version - other.version);
}

/** What can be restored of a removed document, and the names of what is lost, for a message. */
export function restorable(document: Raw): { readonly data: Raw; readonly lost: readonly string[] } {
  const names = CREDENTIALS.flatMap((part) => Object.keys(asMap(document[part])).map((name) => `${part}/${name}`));
  const cdn = revealCredentials(document['cdn'], undefined);
  const hasCdn = sameValue(cdn, document['cdn']);
  const data = CREDENTIALS.reduce<Raw>((now, part) => withValueAt(now, [part], undefined), document);
  if (hasCdn) return { data, lost: names };
  // A vendor without its credentials would be refused.
  return { data: withValueAt(data, ['cdn', 'prod'], { host: valueAt(cdn, ['prod', 'host']) }), lost: [...names, 'cdn/prod'] };
}

/** Safe: a change has documents. */
function shown(call: Call, kind: Kind, document: unknown): Raw {
  return parseStored(call, kind, (document ?? {}) as Raw).shown;
}
