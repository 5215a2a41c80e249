import { sameValue } from '@repoless/contract/json.ts';
import type { Failure, Known } from '../situation/call.ts';
import type { Area } from './change.ts';
import type { StoredDocument, VersionData } from './history-port.ts';
import { at } from './json-place.ts';

export type SearchedArea = Extract<Area, 'access' | 'mappings'>;

export type FoundChange =
  | { readonly state: 'found'; readonly version: number }
  /** It is the same as in the oldest stored version. */
  | { readonly state: 'none' }
  | { readonly state: 'failed'; readonly failure: Failure };

/**
 * Finds the version that set an area to its state in the newest of the given versions. Takes version numbers, newest first.
 * Steps back, doubling the distance until the area differs, then bisects the range: of thousands of versions some twenty
 * are read. A change that was reverted within one step is skipped, because it has no effect.
 */
export async function findLastChange(
  versions: readonly number[],
  area: SearchedArea,
  load: (version: number) => Promise<Known<VersionData>>,
): Promise<FoundChange> {
  const newest = await areaAt(versions, 0, area, load);
  if (newest === undefined) return { state: 'none' };
  if ('failure' in newest) return { state: 'failed', failure: newest.failure };
  let same = 0;
  let different = versions.length;
  for (let stride = 1; different === versions.length && same < versions.length - 1; stride *= 2) {
    const index = Math.min(same + stride, versions.length - 1);
    const other = await areaAt(versions, index, area, load);
    if (other !== undefined && 'failure' in other) return { state: 'failed', failure: other.failure };
    if (sameValue(other?.value, newest.value)) same = index;
    else different = index;
  }
  if (different === versions.length) return { state: 'none' };
  while (different - same > 1) {
    const index = Math.floor((same + different) / 2);
    const other = await areaAt(versions, index, area, load);
    if (other !== undefined && 'failure' in other) return { state: 'failed', failure: other.failure };
    if (sameValue(other?.value, newest.value)) same = index;
    else different = index;
  }
  const version = versions[same];
  return version === undefined ? { state: 'none' } : { state: 'found', version };
}

type AreaValue = { readonly value: unknown } | { readonly failure: Failure };

async function areaAt(
  versions: readonly number[],
  index: number,
  area: SearchedArea,
  load: (version: number) => Promise<Known<VersionData>>,
): Promise<AreaValue | undefined> {
  const version = versions[index];
  if (version === undefined) return undefined;
  const answer = await load(version);
  if (answer.state === 'failed') return { failure: answer.failure };
  return { value: answer.state === 'known' ? areaOf(answer.value.data, area) : undefined };
}

function areaOf(data: StoredDocument | null, area: SearchedArea): unknown {
  if (area === 'mappings') return at(data, 'public', 'paths');
  return { access: at(data, 'access'), groups: at(data, 'groups'), users: at(data, 'users') };
}
