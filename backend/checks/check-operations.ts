import { GRANTS } from '@repoless/contract/access.ts';
import { fitFindings } from '@repoless/core/checks/stored-findings.ts';
import type { endpoints } from '@repoless/contract/endpoints.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import { DEFAULT_REF } from '@repoless/contract/names.ts';
import type { CheckedSite, CheckStarted, OrgChecks, SiteCheck, SiteCheckInput, SiteState } from '@repoless/contract/site-check.ts';
import { parseDeliveryAddress } from '@repoless/contract/addresses.ts';
import { currentState, siteState } from '@repoless/core/checks/site-state.ts';
import { LRUCache } from 'lru-cache';
import { rolesOf } from '../access/roles.ts';
import { githubKey, originOf } from '../code/rules/code-origin.ts';
import { type Context, linkTo, type Operation, pageOf } from '../domain/context.ts';
import { bodyInvalid } from '@repoless/contract/refusal.ts';
import type { StoredOrg } from '../domain/ports.ts';
import { findSite, siteNotFound } from '../sites/find-site.ts';
import type { CheckRounds } from './check-rounds.ts';
import type { AuthoringCheckResult, ListedCheck, CheckResults, SiteCheckRecord, StateCount } from './rules/ports.ts';
import type { StoredSite } from '../sites/ports.ts';
import { type Caller, requireUser } from '../sessions/identity.ts';
import { effectiveFindings, siteCheckRecord, storeSiteCheck } from './check-stored-site.ts';

type Rows = typeof endpoints;

export type CheckOperations = { readonly [Id in 'getOrgChecks' | 'startOrgCheck' | 'getSiteCheck' | 'putSiteCheck']: Operation<Rows[Id]> };

/** Stored checks (docs/contract.md 3.16). */
export function checkOperations(rounds: Pick<CheckRounds, 'start'>): CheckOperations {
  return {
    getOrgChecks: createGetOrgChecks(),
    async startOrgCheck(_context, { params: { org } }) {
      const { round, joined } = await rounds.start(org);
      const { since, done, total } = round;
      const body: CheckStarted = { running: { since, done, total }, ...(joined ? { joined } : {}) };
      return { result: 'accepted', body };
    },
    async getSiteCheck(context, { params }) {
      const site = await findSite(context, params);
      const stored = await context.store.reads.siteCheck(params.org, params.site);
      // The stored record was computed when it was written; since then the site may have been completed or replaced.
      return { result: 'done', body: await siteCheckView(context, site, stored ?? siteCheckRecord(site, {})) };
    },
    async putSiteCheck(context, { params, body }) {
      const { store, caller, now } = context;
      const by = requireUser(caller).email;
      const authoring = authoringResult(body, { at: now().toISOString(), by });
      const [site, stored] = await store.write(async (writes) => {
        const [current, org] = await Promise.all([writes.site(params.org, params.site), writes.org(params.org)]);
        if (current === undefined) throw siteNotFound(params);
        if (body.version > current.version) throw bodyInvalid('/version', `The site has version ${current.version}, and no newer one.`);
        const isForAll = org !== undefined && mayWriteAll(caller, org);
        const result = { ...ofEnvironment(current, authoring), ...(isForAll ? { isForAll } : {}) };
        return [current, await storeSiteCheck(writes, current, { authoring: result })] as const;
      });
      return { result: 'done', body: await siteCheckView(context, site, stored) };
    },
  };
}

function authoringResult(input: SiteCheckInput, { at, by }: { readonly at: string; readonly by: string }): AuthoringCheckResult {
  const { version, switched, drifts, environment } = input;
  const findings = fitFindings(input);
  return { at, by, version, switched, drifts, findings, ...(environment === undefined ? {} : { environment }) };
}

/** A check of a site applies only to the environment that its content comes from. */
function ofEnvironment({ aggregate }: StoredSite, { environment, ...check }: AuthoringCheckResult): AuthoringCheckResult {
  const author = parseDeliveryAddress(aggregate.content?.source.url ?? '')?.author;
  return environment === undefined || environment.author !== author ? check : { ...check, environment };
}

/** Whether a caller may write every site of the organization by an organization-wide role. */
function mayWriteAll(caller: Caller, { config }: StoredOrg): boolean {
  const roles = rolesOf(caller, config);
  return GRANTS['config:write'].some((role) => roles.has(role));
}

async function siteCheckView({ store }: Context, site: StoredSite, { state, results }: SiteCheckRecord): Promise<SiteCheck> {
  const { service, authoring } = results;
  const syncing = isSyncing(site.org, await store.checks.openSyncs(site.org, DEFAULT_REF));
  const origin = originOf(site.org, site.aggregate.code);
  return {
    state: currentState(state, {
      isOutdated: authoring !== undefined && authoring.version !== site.version,
      isSyncing: origin !== undefined && syncing(origin.repository),
    }),
    isOutdated: isOutdated(site, results),
    ...(service === undefined ? {} : { service: { at: service.at, by: SERVICE, version: service.version } }),
    ...(authoring === undefined ? {} : { authoring: checkSummary(authoring) }),
    findings: effectiveFindings(results),
  };
}

function checkSummary({
  findings: _findings,
  environment: _environment,
  isForAll: _isForAll,
  ...about
}: AuthoringCheckResult): NonNullable<SiteCheck['authoring']> {
  return about;
}

function isOutdated({ version }: StoredSite, { service, authoring }: CheckResults): boolean {
  return [service, authoring].some((result) => result !== undefined && result.version < version);
}

/** The author of the service's own checks. */
const SERVICE = 'service';

/**
 * The health of an organization's sites: a page of them, and counts of all by several grouped queries. The cost of the counts grows with
 * the number of sites, so pages after the first reuse those of the first.
 */
export function createGetOrgChecks(): Operation<(typeof endpoints)['getOrgChecks']> {
  const cache = new LRUCache<string, { readonly since: number; readonly overall: Promise<Overall> }>({ max: CACHED_ORGS });

  /** Counts everything again for the first page; further pages reuse that for a while. */
  function overallOf(context: Context, org: string, isFirst: boolean): Promise<Overall> {
    const now = context.now().getTime();
    const known = cache.get(org);
    if (!isFirst && known !== undefined && now - known.since < CACHED_FOR) return known.overall;
    const overall = readOverall(context, org);
    cache.set(org, { since: now, overall });
    overall.catch(() => cache.delete(org));
    return overall;
  }

  return async (context, { params: { org }, query }) => {
    const { checks } = context.store;
    const { limit = MAX_SITES, after = '' } = query;
    const [listed, { open, states, days }, round] = await Promise.all([
      checks.list(org, { after, limit: limit + 1 }),
      overallOf(context, org, after === ''),
      context.store.sharedTime(context.now()).then((leased) => checks.round(org, leased.toISOString())),
    ]);
    const syncing = isSyncing(org, open);
    const { shown, last } = pageOf(listed, limit);
    const body: OrgChecks = {
      counts: { sites: states.reduce((sum, one) => sum + one.sites, 0), states: countStates(states, syncing) },
      ...(round?.complete === true ? { running: { since: round.since, done: round.done, total: round.total } } : {}),
      days,
      sites: shown.map((one) => checkedSite(one, syncing)),
    };
    return { result: 'done', body, ...linkTo(last && `/config/${org}/checks.json?limit=${limit}&after=${last.site}`) };
  };
}

/** What is reported for an entire organization. */
interface Overall {
  readonly open: readonly string[];
  readonly states: readonly StateCount[];
  readonly days: OrgChecks['days'];
}

async function readOverall(context: Context, org: string): Promise<Overall> {
  const { checks } = context.store;
  const [states, open, days] = await Promise.all([checks.states(org), checks.openSyncs(org, DEFAULT_REF), readDays(context, org)]);
  return { open, states, days };
}

type Syncing = (repository: string) => boolean;

function checkedSite(listed: ListedCheck, syncing: Syncing): CheckedSite {
  const { site: name, version, check } = listed;
  const state = stateNow({ ...listed, state: check?.state, isAuthoringOutdated: check?.isAuthoringOutdated === true }, syncing);
  if (check === undefined) return { name, state, isOutdated: false, problems: [], differs: [], unseen: 0 };
  const { at, authoring, summary } = check;
  return {
    name,
    state,
    isOutdated: version > check.version,
    checkedAt: at,
    ...(authoring === undefined ? {} : { authoring }),
    problems: [...summary.problems],
    differs: [...summary.differs],
    unseen: summary.unseen,
  };
}

/** The current state from a stored one; for a site that was never checked, from its registration. */
function stateNow({ state, repository, isComplete, isAuthoringOutdated }: Omit<StateCount, 'sites'>, syncing: Syncing): SiteState {
  const known = state ?? siteState({ registered: true, complete: isComplete });
  return currentState(known, { isOutdated: isAuthoringOutdated, isSyncing: repository !== undefined && syncing(repository) });
}

function countStates(states: readonly StateCount[], syncing: Syncing): OrgChecks['counts']['states'] {
  const counts: OrgChecks['counts']['states'] = {};
  for (const one of states) {
    const state = stateNow(one, syncing);
    counts[state] = (counts[state] ?? 0) + one.sites;
  }
  return counts;
}

/** Takes the keys of origins with a sync in progress. Returns whether a repository, `<type>:<owner>/<repo>`, is one of them. */
function isSyncing(org: string, open: readonly string[]): (repository: string) => boolean {
  // The key of an external one ends with a hash of its addresses.
  const keys = new Set(open.map((key) => (key.startsWith('byogit:') ? key.slice(0, key.lastIndexOf(':')) : key)));
  return (repository) => {
    const [type, name = ''] = repository.split(':');
    const [owner = '', repo = ''] = name.split('/');
    return keys.has(type === 'byogit' ? `byogit:${org}:${name}` : githubKey(owner, repo));
  };
}

async function readDays({ store: { checks }, now }: Context, org: string): Promise<OrgChecks['days']> {
  const today = now().getTime();
  const days = Array.from({ length: DAYS }, (_, index) => new Date(today - (DAYS - 1 - index) * DAY).toISOString().slice(0, 10));
  const since = days[0] ?? '';
  const [changes, syncs] = await Promise.all([checks.changes(org, since, LIMITS.countedChanges), checks.syncs(org, since)]);
  const changesOf = new Map(changes.map(({ day, count }) => [day, count]));
  const syncsOf = new Map(syncs.map((one) => [one.day, one]));
  return days.map((day) => {
    const { count = 0, failed = 0 } = syncsOf.get(day) ?? {};
    return { day, changes: changesOf.get(day) ?? 0, syncs: count, failedSyncs: failed };
  });
}

const MAX_SITES = 1000;
/** Organizations whose counts are cached for the pages after the first, and for how many milliseconds. */
const CACHED_ORGS = 100;
const CACHED_FOR = 10_000;
const DAYS = 7;
const DAY = 24 * 60 * 60 * 1000;
