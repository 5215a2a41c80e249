import {
  type CheckedSite,
  type CheckStarted,
  type KeptFinding,
  type OrgChecks,
  type SiteCheck,
  SiteCheckInput,
  type SiteState,
} from '@repoless/contract/site-check.ts';
import { siteState } from '@repoless/core/checks/site-state.ts';
import { z } from 'zod';
import { aboutOf, type Call, type Operation } from './call.ts';
import { load, SITE } from './document.ts';
import { refusalOf } from './refusals.ts';
import { siteNames } from './listed-sites.ts';
import { recentChanges, type StoredChange } from './store.ts';

/** What somebody found at a site who could read the authoring system. */
const KeptCheck = z.object({ site: z.string(), at: z.iso.datetime(), by: z.string(), found: SiteCheckInput });
type KeptCheck = z.infer<typeof KeptCheck>;

/** The most sites that are listed at once, and the days that changes are counted of. */
const MOST_SITES = 1000;
const DAYS = 7;
const DAY = 86_400_000;

/**
 * Checks are made by people, who may read a site as the hosted service says, and kept here. Its document tells when a site was last written, whoever
 * wrote it; the list of sites does not, so that a list knows only of what went through the bridge.
 */
export const CHECK_OPERATIONS: Readonly<Record<string, Operation>> = {
  putSiteCheck: async (call) => {
    const { org = '', site = '' } = call.params;
    const written = await writtenAt(call);
    const before = await keptOf(call, site);
    // Safe: the body was parsed by this schema.
    const found = call.body as SiteCheckInput;
    const kept = {
      site,
      at: call.options.now().toISOString(),
      by: call.credential?.email ?? `api-key:${call.credential?.id ?? ''}`,
      found: { ...found, findings: found.findings.map((finding) => seenBefore(finding, before)) },
    };
    await call.options.store.put('check', org, site, kept);
    return { status: 200, body: viewOf(kept, written) };
  },
  getSiteCheck: async (call) => {
    const written = await writtenAt(call);
    return { status: 200, body: viewOf(await keptOf(call, call.params['site'] ?? ''), written) };
  },
  getOrgChecks: async (call) => {
    const { org = '' } = call.params;
    const { store, now } = call.options;
    const [sites, stored, changes] = await Promise.all([siteNames(call), store.list('check', org), recentChanges(store, org)]);
    const kept = new Map(stored.flatMap((value) => KeptCheck.safeParse(value).data ?? []).map((one) => [one.site, one]));
    const written = new Map(changes.map(({ subject, time }) => [subject, time]));
    const all = sites.map((name) => checkedSite(name, kept.get(name), written.get(`sites/${name}`)));
    const states: Partial<Record<SiteState, number>> = {};
    for (const { state } of all) states[state] = (states[state] ?? 0) + 1;
    const { after = '', limit = MOST_SITES } = call.query;
    const page = all.filter(({ name }) => name > String(after)).slice(0, Number(limit));
    return { status: 200, body: { counts: { sites: all.length, states }, days: daysOf(changes, now()), sites: page } satisfies OrgChecks };
  },
  /** All that can be told without the authoring system is in the list of sites, which is read with this answer. */
  startOrgCheck: async (call) => {
    const { length } = await siteNames(call);
    const running = { since: call.options.now().toISOString(), done: length, total: length };
    return { status: 202, body: { running } satisfies CheckStarted };
  },
};

/** When the site was last written, by anybody. Refuses who may not read it. */
async function writtenAt(call: Call): Promise<string | undefined> {
  const present = await load(call, SITE);
  if (present === undefined) throw refusalOf({ status: 404, headers: {}, text: '' }, aboutOf(call, call.params));
  return timeIn(present.raw['lastModified']);
}

function timeIn(value: unknown): string | undefined {
  return typeof value === 'string' && !Number.isNaN(Date.parse(value)) ? new Date(value).toISOString() : undefined;
}

/** The newest check that somebody kept. */
export async function keptOf(call: Call, site: string): Promise<KeptCheck | undefined> {
  return KeptCheck.safeParse(await call.options.store.get('check', call.params['org'] ?? '', site)).data;
}

/** Somebody who sees less makes nothing green. */
function seenBefore(finding: KeptFinding, before: KeptCheck | undefined): KeptFinding {
  if (finding.verdict !== 'unknown') return finding;
  return before?.found.findings.find(({ check, verdict }) => check === finding.check && verdict !== 'unknown') ?? finding;
}

function judged(kept: KeptCheck | undefined, written: string | undefined): { readonly state: SiteState; readonly isOutdated: boolean } {
  const isOutdated = kept !== undefined && written !== undefined && written > kept.at;
  const authoring = kept && { switched: kept.found.switched, differs: kept.found.drifts.length > 0, isOutdated };
  return { isOutdated, state: siteState({ registered: true, ...(authoring && { authoring }), findings: kept?.found.findings ?? [] }) };
}

function viewOf(kept: KeptCheck | undefined, written: string | undefined): SiteCheck {
  const { at, by, found } = kept ?? {};
  const authoring = at && by && found && { at, by, version: found.version, switched: found.switched, drifts: found.drifts };
  return { ...judged(kept, written), ...(authoring && { authoring }), findings: found?.findings ?? [] };
}

function checkedSite(name: string, kept: KeptCheck | undefined, written: string | undefined): CheckedSite {
  const findings = kept?.found.findings ?? [];
  return {
    name,
    ...judged(kept, written),
    ...(kept === undefined ? {} : { checkedAt: kept.at, authoring: { at: kept.at, by: kept.by } }),
    problems: findings.flatMap(({ check, verdict, variant }) =>
      verdict === 'wrong' || verdict === 'warning' ? [{ check, verdict, ...(variant === undefined ? {} : { variant }) }] : [],
    ),
    differs: (kept?.found.drifts ?? []).map(({ field }) => field),
    unseen: findings.filter(({ verdict }) => verdict === 'unknown').length,
  };
}

/** Changes that went through the bridge; the hosted service does not tell of syncs. */
function daysOf(changes: readonly StoredChange[], now: Date): OrgChecks['days'] {
  return Array.from({ length: DAYS }, (_, index) => {
    const day = new Date(now.getTime() - (DAYS - 1 - index) * DAY).toISOString().slice(0, 10);
    return { day, changes: changes.filter(({ time }) => time.startsWith(day)).length, syncs: 0, failedSyncs: 0 };
  });
}
