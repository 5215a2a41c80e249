import { useEffect, useMemo, useSyncExternalStore } from 'react';
import type { Change } from '@repoless/core/history/change.ts';
import { describeChange } from '@repoless/core/history/describe-change.ts';
import type { StoredDocument, VersionData } from '@repoless/core/history/history-port.ts';
import type { VersionStore } from '@repoless/core/history/version-store.ts';
import { NOT_FOUND } from '@repoless/core/run/failures.ts';
import type { Failure, Known } from '@repoless/core/situation/situation.ts';

export type Comparison =
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly failure: Failure }
  | {
      readonly state: 'ready';
      /** Undefined: there was nothing before. */
      readonly before: StoredDocument | null | undefined;
      readonly after: StoredDocument | null;
      readonly changes: readonly Change[];
    };

/** What differs between two versions, as soon as both are read. They are asked for as long as this is on the screen. */
export function useComparison(store: VersionStore, before: number | undefined, after: number): Comparison {
  const old = useVersion(store, before);
  const next = useVersion(store, after);
  return useMemo(() => compare(before, old, next), [before, old, next]);
}

function useVersion(store: VersionStore, version: number | undefined): Known<VersionData> | undefined {
  useEffect(() => (version === undefined ? undefined : store.want(version)), [store, version]);
  return useSyncExternalStore(store.subscribe, () => (version === undefined ? undefined : store.get(version)));
}

function compare(before: number | undefined, old: Known<VersionData> | undefined, next: Known<VersionData> | undefined): Comparison {
  if (next === undefined || (old === undefined && before !== undefined)) return { state: 'loading' };
  for (const version of [next, old]) {
    if (version?.state === 'failed') return version;
    if (version?.state === 'missing') return { state: 'failed', failure: NOT_FOUND };
  }
  if (next.state !== 'known') return { state: 'loading' };
  const data = old?.state === 'known' ? old.value.data : undefined;
  return { state: 'ready', before: data, after: next.value.data, changes: describeChange(data, next.value.data) };
}
