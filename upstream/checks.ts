import type { CheckedSite, OrgChecks, SiteCheck, SiteCheckInput, SiteState, StoredFinding } from '@repoless/contract/site-check.ts';
import { fitFindings, mergedFindings } from '@repoless/core/checks/stored-findings.ts';
import { siteState } from '@repoless/core/checks/site-state.ts';
import type { Call, Operation } from './call.ts';
import { isoTime, requireDocument, SITE, siteNames } from './document.ts';
import { AuthoringCheck, authoringCheckOf, type OutsideCheck, startOrgCheck, storedCheckOf, storedChecksOf } from './check-sites.ts';
import { type ChangeFacts, recentChanges } from './store.ts';

/** The most sites listed at once, and the number of days whose changes are counted. */
const MAX_SITES = 1000;
const DAYS = 7;
const DAY = 86_400_000;

/**
 * People who may read a site in the hosted service submit checks, which are stored here. The site's document says when it was last written,
 * by anyone; the list of sites does not, so it knows only about changes through the bridge and what a check of all sites found.
 */
export const CHECK_OPERATIONS: Readonly<Record<string, Operation>> = {
  putSiteCheck: async (call) => {
    const { org = '', site = '' } = call.params;
    const written = await writtenAt(call);
    const before = await authoringCheckOf(call, site);
    // Safe: the body was parsed by this schema.
    const found = call.body as SiteCheckInput;
    fitFindings(found);
    const authoringChecks = {
      site,
      at: call.options.now().toISOString(),
      by: call.credential?.email ?? `api-key:${call.credential?.id ?? ''}`,
      found: { ...found, findings: found.findings.map((finding) => seenBefore(finding, before)) },
    };
    await call.options.store.put('check', org, site, authoringChecks);
    return { status: 200, body: viewOf({ authoring: authoringChecks, outside: await storedCheckOf(call, site), written }) };
  },
  getSiteCheck: async (call) => {
    const { site = '' } = call.params;
    const [written, authoringChecks, outside] = await Promise.all([
      writtenAt(call),
      authoringCheckOf(call, site),
      storedCheckOf(call, site),
    ]);
    return { status: 200, body: viewOf({ authoring: authoringChecks, outside, written }) };
  },
  getOrgChecks: async (call) => {
    const { org = '' } = call.params;
    const { store, now } = call.options;
    const [sites, stored, outsides, changes] = await Promise.all([
      siteNames(call),
      store.list('check', org),
      storedChecksOf(store, org),
      recentChanges(store, org),
    ]);
    const authoringChecks = new Map(stored.flatMap((value) => AuthoringCheck.safeParse(value).data ?? []).map((one) => [one.site, one]));
    const written = new Map(changes.map(({ subject, time }) => [subject, time]));
    const all = sites.map((name) => {
      const outside = outsides.get(name);
      return checkedSite(name, {
        authoring: authoringChecks.get(name),
        outside,
        written: latest(written.get(`sites/${name}`), outside?.written),
      });
    });
    const running = call.checks.get(org);
    const states: Partial<Record<SiteState, number>> = {};
    for (const { state } of all) states[state] = (states[state] ?? 0) + 1;
    const { after = '', limit = MAX_SITES } = call.query;
    const page = all.filter(({ name }) => name > String(after)).slice(0, Number(limit));
    return {
      status: 200,
      body: {
        counts: { sites: all.length, states },
        ...(running === undefined ? {} : { running: { ...running } }),
        days: daysOf(changes, now()),
        sites: page,
      } satisfies OrgChecks,
    };
  },
  startOrgCheck: async (call) => ({ status: 202, body: await startOrgCheck(call) }),
};

/** When the site was last written, by anyone. Refuses callers who may not read it. */
async function writtenAt(call: Call): Promise<string | undefined> {
  return isoTime((await requireDocument(call, SITE)).raw['lastModified']);
}

/** A caller who sees less cannot clear a problem. */
function seenBefore(finding: StoredFinding, before: AuthoringCheck | undefined): StoredFinding {
  if (finding.verdict !== 'unknown') return finding;
  return before?.found.findings.find(({ check, verdict }) => check === finding.check && verdict !== 'unknown') ?? finding;
}

/** What is known about a site: from a caller who could read the authoring system, from a check without it, and when it was last written. */
interface Known {
  readonly authoring: AuthoringCheck | undefined;
  readonly outside: OutsideCheck | undefined;
  readonly written: string | undefined;
}

function evaluated({ authoring: authoringChecks, outside, written }: Known) {
  const times = [authoringChecks?.at, outside?.at].flatMap((at) => at ?? []).toSorted();
  const [older] = times;
  const isAfter = (at: string | undefined) => at !== undefined && written !== undefined && written > at;
  const findings = mergedFindings({
    service: outside,
    authoring: authoringChecks && { at: authoringChecks.at, findings: authoringChecks.found.findings },
    isWrittenSince: authoringChecks !== undefined && outside?.written !== undefined && outside.written > authoringChecks.at,
  });
  const authoring = authoringChecks && {
    switched: authoringChecks.found.switched,
    differs: authoringChecks.found.drifts.length > 0,
    isOutdated: isAfter(authoringChecks.at),
  };
  const state = siteState({ registered: true, ...(authoring && { authoring }), findings });
  return { state, isOutdated: isAfter(older), findings, newest: times.at(-1) };
}

function viewOf(known: Known): SiteCheck {
  const { authoring: authoringChecks, outside } = known;
  const { state, isOutdated, findings } = evaluated(known);
  const { at, by, found } = authoringChecks ?? {};
  const authoring = at && by && found && { at, by, version: found.version, switched: found.switched, drifts: found.drifts };
  // Documents of the hosted service have no version number.
  const service = outside && { at: outside.at, by: outside.by, version: 0 };
  return { state, isOutdated, ...(service && { service }), ...(authoring && { authoring }), findings };
}

function checkedSite(name: string, known: Known): CheckedSite {
  const { authoring: authoringChecks } = known;
  const { state, isOutdated, findings, newest } = evaluated(known);
  return {
    name,
    state,
    isOutdated,
    ...(newest === undefined ? {} : { checkedAt: newest }),
    ...(authoringChecks === undefined ? {} : { authoring: { at: authoringChecks.at, by: authoringChecks.by } }),
    problems: findings.flatMap(({ check, verdict, variant }) =>
      verdict === 'wrong' || verdict === 'warning' ? [{ check, verdict, ...(variant === undefined ? {} : { variant }) }] : [],
    ),
    differs: (authoringChecks?.found.drifts ?? []).map(({ field }) => field),
    unseen: findings.filter(({ verdict }) => verdict === 'unknown').length,
  };
}

function latest(...times: readonly (string | undefined)[]): string | undefined {
  return times
    .flatMap((time) => time ?? [])
    .toSorted()
    .at(-1);
}

/** Changes through the bridge; the hosted service does not report syncs. */
function daysOf(changes: readonly ChangeFacts[], now: Date): OrgChecks['days'] {
  return Array.from({ length: DAYS }, (_, index) => {
    const day = new Date(now.getTime() - (DAYS - 1 - index) * DAY).toISOString().slice(0, 10);
    return { day, changes: changes.filter(({ time }) => time.startsWith(day)).length, syncs: 0, failedSyncs: 0 };
  });
}
