import { mapConcurrently } from '@repoless/core/run/retry.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import { aggregateSite, extendedProfile } from '@repoless/contract/aggregate-site.ts';
import { difference } from '@repoless/contract/difference.ts';
import type { Profile, Site } from '@repoless/contract/site.ts';
import type { DryRun } from '@repoless/contract/endpoint-parts.ts';
import type { Consequence } from '@repoless/contract/consequence.ts';
import { checkPreconditions, Refusal } from '@repoless/contract/refusal.ts';
import { ALL_SITES, type Rollout, type RolloutInput, type RolloutPreview, type Wave } from '@repoless/contract/rollout.ts';
import { differingParts, previewRollout, type SitePrediction } from '@repoless/core/rollouts/preview-rollout.ts';
import {
  type OrderedRollout,
  sitesInWaves,
  requireFewOpen,
  requireFitting,
  requireSites,
  resumedRollout,
  rolloutRefused,
  rolloutSiteView,
  rolloutView,
  stoppedRollout,
  undoneRollout,
} from '@repoless/core/rollouts/rollout-rules.ts';
import { sameValue } from '@repoless/contract/json.ts';
import { randomUUID } from 'node:crypto';
import { type Call, callerName, type Operation, type Outcome, read, dryRunAnswer } from './call.ts';
import { change } from './change.ts';
import { etagOf, ownMembers, PROFILE, type Raw, requireDocument, SITE, siteNames } from './document.ts';
import { consequencesOf, requireOrganization } from './rules.ts';
import {
  abandoned,
  countsOf,
  removeOldRollouts,
  isAbandoned,
  isStuck,
  isUnfinished,
  isWorse,
  type StoredRollout,
  storedRollout,
  storedRollouts,
} from './rollout-document.ts';
import { holdsCredentials, keyOf, SITE_CONCURRENCY, workOn } from './rollout-work.ts';
import { editedSite, restoredSite, siteCall, timeOf } from './rollout-sites.ts';

/** Sites of one rollout: each is read before the preview is answered, within the client's timeout. */
const MAX_SITES = 300;

/** Changes of many sites, made here one after the other with the caller's token (docs/contract.md 3.17). */
export const ROLLOUT_OPERATIONS: Readonly<Record<string, Operation>> = {
  listRollouts: async (call) => {
    await requireReader(call);
    const rollouts = (await storedRollouts(call.options.store, call.params['org'] ?? ''))
      .slice(0, LIMITS.rolloutsKept)
      .map((stored) => viewOf(continued(call, stored)));
    return { status: 200, body: { rollouts } };
  },
  startRollout: async (call) => {
    await requireReader(call);
    const { rollout, etag } = await started(call, call.body as RolloutInput);
    checkPreconditions(call, etag);
    const stored = await storedRollouts(call.options.store, call.params['org'] ?? '');
    requireFewOpen(stored, rollout.profile?.name);
    const shown = viewOf(rollout);
    if (call.isDryRun) {
      const preview = await previewedStart(call, rollout);
      return dryRunAnswer({ status: 201, result: { ...shown, preview }, diff: [] });
    }
    await workOn(call, call.rollouts, rollout).save();
    await removeOldRollouts(call.options.store, [rollout, ...stored]);
    return { status: 201, body: shown, etag: etagOf(shown) };
  },
  getRollout: async (call) => ({ status: 200, body: viewOf(await found(call)) }),
  listRolloutSites: async (call) => {
    const { state, worse, stuck, after = '', limit = 1000 } = call.query as SiteQuery;
    const { org, id, rows } = await found(call);
    const selected = rows
      .filter((row) => (state === undefined || row.state === state) && (worse === undefined || isWorse(row) === worse))
      .filter((row) => (stuck === undefined || isStuck(row) === stuck) && row.site > after)
      .toSorted((one, other) => (one.site < other.site ? -1 : 1));
    const sites = selected.slice(0, limit).map(rolloutSiteView);
    const filter = Object.entries({ state, worse, stuck }).map(([name, value]) => (value === undefined ? '' : `&${name}=${value}`));
    const next = `</config/${org}/rollouts/${id}/sites.json?limit=${limit}&after=${sites.at(-1)?.name ?? ''}${filter.join('')}>; rel="next"`;
    return { status: 200, body: { sites }, ...(selected.length > sites.length ? { headers: { link: next } } : {}) };
  },
  stopRollout: (call) => ordered(call, (current) => stoppedRollout(current, callerName(call))),
  resumeRollout: (call) => ordered(call, (current) => resumedRollout(halted(call, current), countsOf(current))),
  undoRollout: async (call) => {
    if (!call.isDryRun) return await ordered(call, (current) => undoneRollout(halted(call, current)));
    const current = await found(call);
    const { rollout } = undoneRollout(current);
    return dryRunAnswer({ status: 200, result: { ...viewOf(rollout), preview: await previewedUndo(call, current) }, diff: [] });
  },
};

interface SiteQuery {
  readonly state?: string;
  readonly worse?: boolean;
  readonly stuck?: boolean;
  readonly after?: string;
  readonly limit?: number;
}

/** Callers who may read the organization may read its rollouts. The hosted service decides for each site what may be changed. */
async function requireReader(call: Call): Promise<void> {
  await requireOrganization(call, call.params['org'] ?? '');
}

function viewOf(rollout: StoredRollout): Rollout {
  return rolloutView(rollout, countsOf(rollout));
}

async function found(call: Call): Promise<StoredRollout> {
  await requireReader(call);
  const { org = '', rollout: id = '' } = call.params;
  const stored = call.rollouts.get(keyOf({ org, id }))?.document ?? (await storedRollout(call.options.store, org, id));
  if (stored === undefined) throw new Refusal('ROLLOUT_NOT_FOUND', `The organization "${org}" has no rollout "${id}".`);
  return continued(call, stored);
}

/**
 * The current state of the rollout. If its program ended, its token is lost: the rollout continues with the next call of the person who
 * started it, and counts as stopped for everyone else.
 */
function continued(call: Call, stored: StoredRollout): StoredRollout {
  const running = call.rollouts.get(keyOf(stored));
  if (running !== undefined) return running.document;
  if (!isAbandoned(stored, call.options.now())) return stored;
  if (stored.by === '' || stored.by !== callerName(call) || call.isDryRun) return abandoned(stored);
  return workOn(call, call.rollouts, stored).document;
}

/**
 * An order takes effect after the sites in progress, and continues with the token of its caller: here, or taken over from another program.
 */
async function ordered(call: Call, order: (current: StoredRollout) => OrderedRollout<StoredRollout>): Promise<Outcome> {
  const seen = await found(call);
  const running = call.rollouts.get(keyOf(seen));
  const { rollout, retried } = order(seen);
  if (running !== undefined) {
    // No further site is started, and the results of those in progress are recorded.
    running.document = { ...running.document, state: 'stopped' };
    await running.ended;
  }
  const next: StoredRollout = {
    ...rollout,
    rows: (running?.document ?? seen).rows.map((row) => (retried === undefined ? row : retriedRow(row, retried))),
    ...(rollout.state === 'stopped' ? {} : { by: callerName(call) }),
  };
  await workOn(call, call.rollouts, next).save();
  return { status: 200, body: viewOf(next) };
}

/** A rollout of another program is taken over in its stored state. */
function halted(call: Call, current: StoredRollout): StoredRollout {
  return isUnfinished(current) && !call.rollouts.has(keyOf(current)) ? abandoned(current) : current;
}

function retriedRow(row: StoredRollout['rows'][number], retried: 'stuck' | 'refused'): StoredRollout['rows'][number] {
  const { stuck: _stuck, amiss: _amiss, ...rest } = row;
  return retried === 'refused' && row.state === 'refused' ? { ...rest, state: 'waiting' } : rest;
}

async function started(call: Call, body: RolloutInput): Promise<{ readonly rollout: StoredRollout; readonly etag: string | undefined }> {
  const { org = '' } = call.params;
  const { title, edits, profile: name, config, reviewed } = body;
  const waves: readonly Wave[] = body.waves ?? [ALL_SITES];
  const now = call.options.now().toISOString();
  const common = {
    org,
    // Sorts by time, and has only characters that an identifier of a rollout may have.
    id: `${now.replaceAll(/\D+/g, '-')}${randomUUID().slice(0, 8)}`,
    title,
    state: 'running' as const,
    waves: [...waves],
    wave: 1,
    startedBy: callerName(call),
    by: callerName(call),
    started: now,
    turn: now,
    worker: '',
  };
  const rows = (sites: readonly string[]) => sitesInWaves(sites, waves, reviewed).map((site) => ({ ...site, state: 'waiting' as const }));
  if (name !== undefined && config !== undefined) {
    const current = await requireDocument({ ...call, params: { org, profile: name } }, PROFILE);
    if ([current.raw, config].some(holdsCredentials))
      throw rolloutRefused(
        { reason: 'credentials', profile: name },
        `The profile "${name}" holds credentials, which cannot be staged for the first waves. Set it directly: PUT /config/${org}/profiles/${name}.json.`,
      );
    const before = ownMembers(current.shown);
    if (sameValue(before, config))
      throw rolloutRefused({ reason: 'same', profile: name }, `The profile "${name}" already has this configuration.`);
    const sites = await sitesOfProfile(call, name);
    if (sites.length === 0)
      throw rolloutRefused(
        { reason: 'profileUnused', profile: name },
        `No site extends the profile "${name}". Set it directly: PUT /config/${org}/profiles/${name}.json.`,
      );
    const profile = { name, config: { ...config }, staged: `rollout-${common.id.slice(-8)}`, before };
    return { rollout: { ...common, profile, rows: rows(sites) }, etag: etagOf(current.shown) };
  }
  requireFitting(edits ?? []);
  const sites = body.sites ?? (await siteNames(call));
  requireSites(org, sites, MAX_SITES);
  return { rollout: { ...common, edits: edits ?? [], rows: rows(sites) }, etag: undefined };
}

/** The hosted service's list does not say which profile a site extends: each is read, once for both preview and start. */
async function sitesOfProfile(call: Call, profile: string): Promise<string[]> {
  const { org = '' } = call.params;
  const names = await siteNames(call);
  requireSites(org, names, MAX_SITES);
  const extending: string[] = [];
  await mapConcurrently(names, SITE_CONCURRENCY, async (site) => {
    const raw = await read(call, 'site', { org, site });
    if (raw !== undefined && extendedProfile(raw as Pick<Site, 'extends'>) === profile) extending.push(site);
  });
  return extending.toSorted();
}

async function previewedStart(call: Call, rollout: StoredRollout): Promise<RolloutPreview> {
  const { profile, waves, rows } = rollout;
  const sites = rows.map(({ site }) => site);
  if (profile !== undefined) return await previewed(call, sites, waves, (own) => predictProfile(own, profile.before, profile.config));
  // Safe: it is a document of the contract.
  const next = async (own: Call, current: Raw) => (await editedSite(own, current, rollout)).config as unknown as Raw;
  return await previewed(call, sites, waves, (own) => predictSite(own, next));
}

/** Previews each site; several are read concurrently. */
async function previewed(
  call: Call,
  sites: readonly string[],
  waves: readonly Wave[],
  tryOne: (call: Call) => Promise<SitePrediction & Previewed>,
): Promise<RolloutPreview> {
  const predictions = new Map<string, (SitePrediction & Previewed) | Refusal>();
  await mapConcurrently(sites, SITE_CONCURRENCY, async (site) => {
    const own = siteCall(call, { org: call.params['org'] ?? '', id: 'preview' }, { site });
    const prediction = await tryOne(own).catch((error: unknown) => {
      if (error instanceof Refusal && error.code !== 'NOT_AUTHENTICATED') return error;
      throw error;
    });
    predictions.set(site, prediction);
  });
  return await previewRollout(sites, waves, {
    predictSite: async (site) => {
      const prediction = predictions.get(site) ?? NOTHING;
      if (prediction instanceof Refusal) throw prediction;
      return prediction;
    },
    versionOf(site) {
      const prediction = predictions.get(site);
      return prediction instanceof Refusal ? undefined : prediction?.time;
    },
  });
}

/** When the previewed site was written: stands for its version, which would need another read for each site. */
interface Previewed {
  readonly time?: number;
}

const NOTHING: SitePrediction = { diff: [], parts: { before: {}, after: {} }, consequences: [] };

/** What a profile would change for a site. */
async function predictProfile(call: Call, before: Raw, after: Raw): Promise<SitePrediction> {
  const current = await requireDocument(call, SITE);
  // Safe: all three were fitted to their schemas.
  const [was, is] = [before, after].map((profile) => aggregateSite(current.shown as unknown as Site, profile as unknown as Profile));
  const [old, next] = [was as unknown as Raw, is as unknown as Raw];
  const consequences = (await consequencesOf(call, SITE, old, next)) as SitePrediction['consequences'];
  return { diff: difference(old, next), parts: differingParts(old, next), consequences };
}

/** Runs all the checks of a write. */
async function predictSite(call: Call, next: (call: Call, current: Raw) => Promise<Raw>): Promise<SitePrediction & Previewed> {
  let before: Raw = {};
  const { body } = await change(call, SITE, {
    view: [],
    next: async (current = {}) => {
      before = current;
      return await next(call, current);
    },
  });
  const {
    diff,
    result,
    consequences = [],
  } = body as Pick<DryRun, 'diff' | 'result'> & { readonly consequences?: readonly { what: Consequence }[] };
  return { diff, parts: differingParts(before, Object(result)), consequences, time: timeOf(before) };
}

/** What an undo would do to the sites that have the change; those changed since are refused. */
async function previewedUndo(call: Call, { rows, profile }: StoredRollout): Promise<RolloutPreview> {
  const having = new Map(rows.filter(({ state }) => state === 'changed' || state === 'staged').map((row) => [row.site, row]));
  const { before = {}, after } = profile ?? {};
  return await previewed(call, [...having.keys()], [ALL_SITES], async (own) => {
    if (after !== undefined) return await predictProfile(own, after, before);
    const row = having.get(own.params['site'] ?? '');
    return await predictSite(own, async (_call, current) => (row === undefined ? current : restoredSite(own, current, row)));
  });
}
