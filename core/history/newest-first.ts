import type { VersionList } from '@repoless/contract/history.ts';

/** Versions as they are shown: the newest on top, in whichever order the service lists them. */
export function newestFirst(list: VersionList): VersionList {
  return { ...list, versions: list.versions.toSorted((one, other) => other.version - one.version) };
}
