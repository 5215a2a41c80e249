import type { VersionEntry } from '@repoless/contract/history.ts';

/** A version beside the one that it followed: what it changed is the difference of both. Absent: it is the first. */
export interface VersionRow extends VersionEntry {
  readonly before?: number;
}

/** In: the versions, newest first. A version that was taken out of the history is passed over. */
export function versionsWithBefore(versions: readonly VersionEntry[]): VersionRow[] {
  return versions.map((entry, index) => {
    const before = versions[index + 1]?.version;
    return before === undefined ? entry : { ...entry, before };
  });
}
