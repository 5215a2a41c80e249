import type { AuditEntry } from '@repoless/contract/audit.ts';

/** One kind of change by one person. */
export interface Activity {
  readonly who: string;
  readonly what: 'rollout' | 'removed' | 'saved' | 'restored' | 'part';
  /** The changed part; empty if it was the site itself. */
  readonly part: string;
  readonly count: number;
  /** The time of the latest one (ISO 8601). */
  readonly time: string;
}

/** Summarizes entries of an audit trail, newest first, in a few lines: who did what to how many sites, with what concerns most sites first. */
export function weekActivity(entries: readonly AuditEntry[], most: number): Activity[] {
  const groups = new Map<string, Omit<Activity, 'count'> & { readonly sites: Set<string> }>();
  for (const { user: who, action, site, time } of entries) {
    const done = doneBy(action);
    if (site === undefined || done === undefined) continue;
    const key = JSON.stringify([who, done.what, done.part]);
    const group = groups.get(key) ?? { who, ...done, time, sites: new Set() };
    group.sites.add(site);
    groups.set(key, group);
  }
  return [...groups.values()]
    .map(({ sites, ...group }) => ({ ...group, count: sites.size }))
    .toSorted((one, other) => other.count - one.count)
    .slice(0, most);
}

const WHOLE: Readonly<Record<string, Activity['what']>> = {
  rollout: 'rollout',
  'put-site': 'saved',
  'post-site': 'saved',
  'migrate-site': 'saved',
  'delete-site': 'removed',
  'restore-site': 'restored',
};

/** Actions that don't change the configuration of a site. */
const OTHER = /^(?:set|delete)-(?:profiles|version|api-key|token|secret|access-token|subscription|org|user)\b/;

function doneBy(action: string): Pick<Activity, 'what' | 'part'> | undefined {
  const [name = ''] = action.split('/');
  const what = WHOLE[name];
  if (what !== undefined) return { what, part: '' };
  const part = OTHER.test(name) ? undefined : /^(?:set|delete)-(.+)$/.exec(name)?.[1];
  return part === undefined ? undefined : { what: 'part', part };
}
