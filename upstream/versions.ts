import type { VersionEntry } from '@repoless/contract/history.ts';
import { difference } from '@repoless/contract/difference.ts';
import { checkPreconditions, Refusal } from '@repoless/contract/refusal.ts';
import { printAddress } from '@repoless/core/api/client.ts';
import { z } from 'zod';
import { type Call, type Operation, type Outcome, read, send, tried } from './call.ts';
import { held, type Kind, subjectOf } from './document.ts';
import { etagOf, type Raw } from './documents.ts';
import { type KeptVersion, keptVersions } from './removed.ts';
import { recentChanges } from './store.ts';

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

async function one(call: Call, kind: Kind, version: number): Promise<KeptVersion> {
  const found = await read(call, kind.part, params(call, `versions/${version}`));
  const parsed = Entry.extend({ data: z.record(z.string(), z.unknown()) }).safeParse(found);
  const kept = found === undefined ? (await keptVersions(call, kind)).find((entry) => entry.version === version) : undefined;
  if (kept !== undefined) {
    const { unknown: _unknown, ...entry } = kept;
    return entry;
  }
  if (!parsed.success) throw new Refusal('VERSION_NOT_FOUND', `There is no version ${version}.`, { data: { version: String(version) } });
  return { ...entryOf(parsed.data), data: held(call, kind, parsed.data.data).shown };
}

/** The name of the version that a change creates: the caller's, followed by the identifier of the stored change. */
export function versionName({ query }: Call, id: string): string {
  const given = query['versionName'];
  return typeof given === 'string' && given !== '' ? `${given} ${id}` : id;
}

/** The identifier of a change through the bridge, at the end of its version's name. */
const OWN = / ?([0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})$/;

function entryOf({ version, created, name = '', user }: HostedVersion): VersionEntry {
  const given = name.replace(OWN, '');
  return {
    version,
    created: new Date(created).toISOString(),
    ...(given === '' ? {} : { name: given }),
    ...(user === undefined ? {} : { user }),
  };
}

/** The history calls of a kind of document. */
export function versionOperations(kind: Kind): Record<'list' | 'get' | 'compare' | 'name' | 'remove', Operation> {
  const version = (call: Call) => Number(call.params['version']);
  const written = async (call: Call, method: 'POST' | 'DELETE', json?: unknown): Promise<Outcome> => {
    const at = await one(call, kind, version(call));
    checkPreconditions(call, etagOf(at));
    const { data, ...entry } = at;
    const result = method === 'DELETE' ? null : { ...entry, name: Reflect.get(Object(json), 'name') as unknown };
    if (call.isDryRun) return tried({ status: method === 'DELETE' ? 204 : 200, result, diff: difference(entry, result) });
    await send(call, kind.part, params(call, `versions/${version(call)}`), { method, ...(json === undefined ? {} : { json }) });
    return method === 'DELETE' ? { status: 204 } : { status: 200, body: result, etag: etagOf({ ...result, data }) };
  };
  return {
    list: async (call) => {
      const found = await list(call, kind);
      const kept = found === undefined ? await keptVersions(call, kind) : [];
      const own = await ownChanges(call, kind);
      const versions = (found?.versions ?? []).map((entry): VersionEntry => ({
        ...entryOf(entry),
        ...(own.byVersion.get(entry.version) ?? (own.ids.has(OWN.exec(entry.name ?? '')?.[1] ?? '') ? {} : { elsewhere: true })),
      }));
      return paged(call, found?.current, kept.length > 0 ? kept.map(({ data: _data, unknown: _unknown, ...entry }) => entry) : versions);
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
  const meant = isPage ? versions.filter(({ version }) => version < Number(before ?? Infinity)).toReversed() : versions;
  const page = meant.slice(0, typeof limit === 'number' ? limit : undefined);
  const body = { ...(current === undefined ? {} : { current }), versions: page };
  const last = page.at(-1)?.version;
  const isMore = last !== undefined && page.length < meant.length;
  const next = `<${printAddress(call.address.replace(/\?.*/, ''), {}, { limit, before: last })}>; rel="next"`;
  return { status: 200, body, etag: etagOf(body), ...(isMore ? { headers: { link: next } } : {}) };
}

interface OwnChanges {
  /** Authors of versions, which the hosted service does not name. */
  readonly byVersion: ReadonlyMap<number, { readonly user: string }>;
  readonly ids: ReadonlySet<string>;
}

/** The stored changes of a document. */
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
