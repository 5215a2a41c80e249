import type { DryRun } from '@repoless/contract/endpoint-parts.ts';
import type { VersionEntry } from '@repoless/contract/history.ts';
import { sameValue } from '@repoless/contract/json.ts';
import type { HistoryPort, Restoring, StoredDocument, VersionData } from '@repoless/core/history/history-port.ts';
import type { Failure, Known } from '@repoless/core/situation/call.ts';

/** A history in memory that stores writes. Versions are numbered from 1; null is a removal. */
export interface HistoryWorld {
  readonly versions: VersionData[];
  readonly port: HistoryPort;
  /** The failure of a call, named as `versions`, `version 3`, `dryRun 3`, `restore 3`, `name 3`, `remove 3`. */
  refuse: (call: string) => Failure | undefined;
  /** The calls made, named as for `refuse`. */
  readonly calls: string[];
  readonly profiles: string[];
  store(data: StoredDocument | null, more?: Partial<VersionEntry>): void;
}

const NOON = Date.parse('2026-03-04T12:00:00.000Z');
const MINUTE = 60_000;

export function createHistoryWorld(): HistoryWorld {
  const world: HistoryWorld = {
    versions: [],
    calls: [],
    profiles: [],
    refuse: () => undefined,
    store(data, more = {}) {
      const version = Math.max(0, ...world.versions.map((entry) => entry.version)) + 1;
      const created = new Date(NOON + version * MINUTE).toISOString();
      world.versions.unshift({ version, created, user: 'ada.admin@example.com', ...more, data });
    },
    port: {
      profiles: async () => answer('profiles', () => known(world.profiles)),
      versions: async () =>
        answer('versions', () => {
          const [newest] = world.versions;
          if (newest === undefined) return { state: 'missing' };
          const versions = world.versions.map(({ data: _data, ...entry }) => entry);
          return known({ ...(newest.data === null ? {} : { current: newest.version }), versions });
        }),
      version: async (_subject, version) => answer(`version ${version}`, () => find(version)),
      current: async () =>
        answer('current', () => {
          const data = world.versions[0]?.data ?? null;
          return data === null ? { state: 'missing' } : known({ data, etag: etag() });
        }),
      dryRun: async (_subject, restoring) => answer(`dryRun ${restoring.version}`, () => restored(restoring)),
      restore: async (_subject, restoring) =>
        answer(`restore ${restoring.version}`, () => {
          const next = restored(restoring);
          if (next.state === 'known' && next.value.diff.length > 0) {
            if (restoring.document === undefined) world.store(documentOf(restoring.version), { restoredFrom: restoring.version });
            else world.store(restoring.document);
          }
          return next;
        }),
      name: async (_subject, version, name) =>
        answer(`name ${version}`, () => {
          const index = world.versions.findIndex((entry) => entry.version === version);
          const found = world.versions[index];
          if (found !== undefined) world.versions[index] = { ...found, name };
          return known({});
        }),
      remove: async (_subject, version) =>
        answer(`remove ${version}`, () => {
          world.versions.splice(
            world.versions.findIndex((entry) => entry.version === version),
            1,
          );
          return known(null);
        }),
    },
  };
  const etag = () => `"${world.versions[0]?.version ?? 0}"`;
  const find = (version: number): Known<VersionData> => {
    const found = world.versions.find((entry) => entry.version === version);
    return found === undefined ? { state: 'missing' } : known(found);
  };
  const documentOf = (version: number): StoredDocument | null => world.versions.find((entry) => entry.version === version)?.data ?? null;
  const restored = ({ version, document, etag: over }: Restoring): Known<DryRun> => {
    const current = world.versions[0]?.data ?? null;
    if ((current === null) !== (over === undefined) || (over !== undefined && over !== etag()))
      return { state: 'failed', failure: historyProblem('PRECONDITION_FAILED', 412, 'It was changed in the meantime.') };
    const data = document ?? documentOf(version);
    const diff = sameValue(current, data) ? [] : [{ op: 'replace' as const, path: '', value: data }];
    return known({ dryRun: true, status: current === null ? 201 : 200, result: data, diff });
  };
  const answer = <T>(call: string, make: () => Known<T>): Known<T> => {
    world.calls.push(call);
    const failure = world.refuse(call);
    return failure === undefined ? make() : { state: 'failed', failure };
  };
  return world;
}

/** A refusal of the service with its problem document. */
export function historyProblem(
  code: 'PRECONDITION_FAILED' | 'WOULD_LOCK_OUT' | 'VERSION_REFUSED' | 'NOT_AUTHORIZED',
  status: number,
  detail: string,
  errors: { pointer: string; detail: string }[] = [],
): Failure {
  return { kind: 'refused', status, problem: { type: 'about:blank', title: detail, status, detail, code, errors, requestId: 'r-1' } };
}

function known<T>(value: T): Known<T> {
  return { state: 'known', value };
}
