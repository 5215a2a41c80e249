import type { VersionEntry } from '@repoless/contract/history.ts';
import { sameValue } from '@repoless/contract/json.ts';
import { revealCredentials } from '@repoless/core/history/cdn-credentials.ts';
import type { Call } from './call.ts';
import { held, type Kind, load, ORG, SERVER_SET, subjectOf } from './document.ts';
import { asMap, CREDENTIALS, placed, type Raw, valueAt } from './documents.ts';
import { requireOrganization } from './people.ts';
import { recentChanges, type StoredChange, changeWithDocuments } from './store.ts';

/** A version of a removed document; null: the removal itself. */
export interface KeptVersion extends VersionEntry {
  readonly data: Raw | null;
}

interface StoredVersion extends KeptVersion {
  /** Paths of what is not stored of it. */
  readonly unknown: readonly string[];
}

/** Changes whose documents are read: each has two. */
const MOST = 50;

/**
 * For a site or profile removed through the bridge, its versions as stored here, the oldest first: the hosted service drops its own with
 * the document. Empty if the document exists or was not removed through the bridge. Refuses callers who may not read the organization.
 */
export async function keptVersions(call: Call, kind: Kind): Promise<readonly StoredVersion[]> {
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
    const whole = await changeWithDocuments(store, one);
    if (whole !== undefined) all.push(whole);
  }
  const former = all.slice(0, -1).findLastIndex(({ after }) => after === null);
  const versions = new Map<number, StoredVersion>();
  for (const { version, time, user, after, unknown = [] } of all.slice(former + 1, -1))
    if (version !== undefined)
      versions.set(version, { version, created: time, ...(user === '' ? {} : { user }), data: shown(call, kind, after), unknown });
  const final = shown(call, kind, removal.before);
  const newest = [...versions.keys()].toSorted((one, other) => one - other).at(-1) ?? 0;
  const isLast = sameValue(withoutTimes(versions.get(newest)?.data ?? {}), withoutTimes(final));
  const { time, user, unknown = [] } = removal;
  if (!isLast) versions.set(newest + 1, { version: newest + 1, created: timeOf(final, time), elsewhere: true, data: final, unknown });
  const version = newest + (isLast ? 1 : 2);
  versions.set(version, { version, created: time, ...(user === '' ? {} : { user }), data: null, unknown: [] });
  return [...versions.values()].toSorted((one, other) => one.version - other.version);
}

/** What can be restored of a removed document, and the names of what is lost, for a message. */
export function restorable(document: Raw): { readonly data: Raw; readonly lost: readonly string[] } {
  const names = CREDENTIALS.flatMap((part) => Object.keys(asMap(document[part])).map((name) => `${part}/${name}`));
  const cdn = revealCredentials(document['cdn'], undefined);
  const hasCdn = sameValue(cdn, document['cdn']);
  const data = CREDENTIALS.reduce<Raw>((now, part) => placed(now, [part], undefined), document);
  if (hasCdn) return { data, lost: names };
  // A vendor without its credentials would be refused.
  return { data: placed(data, ['cdn', 'prod'], { host: valueAt(cdn, ['prod', 'host']) }), lost: [...names, 'cdn/prod'] };
}

/** Safe: a change has documents. */
function shown(call: Call, kind: Kind, document: unknown): Raw {
  return held(call, kind, (document ?? {}) as Raw).shown;
}

function withoutTimes(document: Raw): Raw {
  return SERVER_SET.reduce<Raw>((now, name) => placed(now, [name], undefined), document);
}

function timeOf({ lastModified }: Raw, otherwise: string): string {
  return typeof lastModified === 'string' && !Number.isNaN(Date.parse(lastModified)) ? new Date(lastModified).toISOString() : otherwise;
}
