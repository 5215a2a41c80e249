import type { Call } from './call.ts';
import type { Target } from './situation.ts';

/** The names of site versions that setup writes: of one page, of many sites, and of a move. */
export const VERSION_NAMES = { setup: 'repoless setup', sites: 'repoless sites', move: 'moved to another environment' } as const;
/** The name of a version that undoes those and preserves other people's later changes. */
export const UNDO_NAME = 'setup undone';

/** What must be stored for a call to change it: nothing, or the state with this etag. */
export type Condition = Pick<Call, 'ifMatch' | 'ifNoneMatch'>;

/** Stores a complete site, as a version with this name. */
export function putSite(site: Target, value: unknown, versionName: string, condition: Condition): Call {
  const address = `${pathOf(site)}?versionName=${encodeURIComponent(versionName)}`;
  return { target: 'service', method: 'PUT', address, body: { type: 'json', value }, ...condition };
}

/** Removes a site if it is unchanged since it was read. */
export function removeSite(site: Target, etag: string): Call {
  return { target: 'service', method: 'DELETE', address: pathOf(site), ifMatch: etag };
}

/** Stores an earlier version of a site again; also of a removed one. */
export function restoreSite(site: Target, version: number | string, condition: Condition): Call {
  return { target: 'service', method: 'POST', address: `${pathOf(site)}?restoreVersion=${version}`, ...condition };
}

function pathOf({ organization, siteName }: Target): string {
  return `/config/${organization}/sites/${siteName}.json`;
}
