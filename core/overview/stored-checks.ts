import {
  type CheckedSite,
  EVALUATED_BY,
  type StoredFinding,
  type OrgChecks,
  type SiteCheck,
  type SiteCheckInput,
  type SiteState,
} from '@repoless/contract/site-check.ts';
import type { AuditEntry } from '@repoless/contract/audit.ts';
import { checkSite } from '../checks/check-site.ts';
import { findDrift } from '../checks/find-drift.ts';
import type { Finding } from '../checks/finding.ts';
import { evaluateSituation, isSwitched } from '../checks/site-state.ts';
import { readSituation } from '../plan/read-situation.ts';
import type { Known } from '../situation/call.ts';
import type { SetupPorts } from '../situation/ports.ts';
import type { Situation, Target } from '../situation/situation.ts';
import { targetOfSituation } from '../situation/target.ts';

/** The stored checks of sites. Nothing throws: failures are in the answer. */
export interface ChecksPort {
  /** The states of all sites of an organization, page by page. Missing: the service stores no checks, or there is no such organization. */
  all(org: string): Promise<Known<StoredChecks>>;
  /** Starts the service's own check of all sites. */
  start(org: string): Promise<Known<unknown>>;
  /** The findings for a site, with all the data of their messages. */
  site(org: string, site: string): Promise<Known<SiteCheck>>;
  /** What people did to sites in the last seven days. */
  activity(org: string): Promise<Known<readonly Activity[]>>;
  /** Stores the findings of someone who could read the authoring system. */
  store(org: string, site: string, found: SiteCheckInput): Promise<Known<SiteCheck>>;
}

export interface StoredChecks extends Pick<OrgChecks, 'days' | 'running'> {
  readonly sites: readonly CheckedSite[];
}

/** Maximum characters of a value stored with a finding, and number of values. */
const LONGEST = 2000;

/** What the service stores of a situation. Undefined if the site is not registered, or could not be read. */
export function storedFindingsOf(situation: Situation, findings: readonly Finding[] = checkSite(situation)): SiteCheckInput | undefined {
  if (situation.site.state !== 'known') return undefined;
  const { settings, info } = situation;
  const account = settings.technicalAccount.value;
  return {
    version: situation.site.value.version,
    switched: isSwitched(settings, info.repolessProjectType),
    ...(account === undefined ? {} : { environment: { author: settings.author, technicalAccount: account } }),
    drifts: findDrift(situation).map(({ field, authoring, service }) => ({ field, authoring: cut(authoring), service: cut(service) })),
    findings: findings.filter(({ check }) => EVALUATED_BY[check] !== 'caller').map(kept),
  };
}

function kept({ check, verdict, variant, data, evidence }: Finding): StoredFinding {
  return {
    check,
    verdict,
    ...(variant === undefined ? {} : { variant }),
    data: Object.fromEntries(Object.entries(data).map(([name, value]) => [name, cut(value)])),
    ...(evidence === undefined ? {} : { evidence: { request: cut(evidence.request), answer: cut(evidence.answer) } }),
  };
}

function cut(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST - 1)}…`;
}

/**
 * Stores the findings for a site at the service, for every screen, and returns the combined findings, including those of others. Undefined
 * if the service stores none, or none for this person.
 */
export async function shareCheck(checks: Pick<ChecksPort, 'store' | 'site'>, situation: Situation): Promise<SiteCheck | undefined> {
  const found = storedFindingsOf(situation);
  if (found === undefined) return undefined;
  const { organization, siteName } = targetOfSituation(situation);
  const stored = await checks.store(organization, siteName, found);
  if (stored.state === 'known') return stored.value;
  const known = await checks.site(organization, siteName);
  return known.state === 'known' ? known.value : undefined;
}

/**
 * Checks the site of a page and shares the findings. Takes the page at the site's root, and the site that is registered for
 * it, which is checked even if the page's settings name another or are inherited. Returns its state, or why it could not be
 * read. Findings are valid even if the service cannot store them.
 */
export async function checkAndStore(
  ports: SetupPorts,
  checks: ChecksPort,
  page: string,
  site: Target | undefined,
): Promise<Known<SiteState>> {
  const read = await readSituation(ports, page, undefined, site);
  if (read.state !== 'known') return read;
  if (read.value.site.state === 'failed') return read.value.site;
  const stored = site === undefined ? undefined : await shareCheck(checks, read.value);
  return { state: 'known', value: evaluateSituation(read.value, stored).state };
}

/**
 * Ports that treat a page as the root of its own site, because the service has one there, even if it inherits the configuration of the site
 * above.
 */
export function atRoot(ports: SetupPorts): SetupPorts {
  const { authoring } = ports;
  return { ...ports, authoring: { ...authoring, settings: (page, info) => authoring.settings(page, info, true) } };
}

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

/**
 * Summarizes entries of an audit trail, newest first, in a few lines: who did what to how many sites, with what concerns most sites first.
 */
export function weekActivity(entries: readonly AuditEntry[], limit: number): Activity[] {
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
    .slice(0, limit);
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
