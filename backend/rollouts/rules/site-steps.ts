import { defined } from '@repoless/contract/json.ts';
import type { Permission } from '@repoless/contract/access.ts';
import { pointerSegments } from '@repoless/contract/errors.ts';
import type { Edit, RolloutSiteState, RolloutState } from '@repoless/contract/rollout.ts';
import type { CheckId } from '@repoless/contract/site-check.ts';
import { Site, type SiteInput } from '@repoless/contract/site.ts';
import type { Context } from '../../domain/context.ts';
import { Refusal } from '@repoless/contract/refusal.ts';
import type { Reads } from '../../domain/ports.ts';
import { changeSite, completePart } from '../../sites/site-document.ts';
import {
  applyEdits,
  type ChangedPart,
  ChangedSince,
  NAMED_VERSIONS,
  partsAsStored,
  withoutEdits,
} from '@repoless/core/rollouts/apply-edits.ts';
import { differingParts } from '@repoless/core/rollouts/preview-rollout.ts';
import { isUnshown, problemOf, type SiteChange, unchangedState } from '@repoless/core/rollouts/rollout-rules.ts';
import { readVersion } from '../../history/read-versions.ts';
import { completeProfile } from '../../profiles/profile-document.ts';
import { aggregateSite, extendedProfile } from '@repoless/contract/aggregate-site.ts';
import type { RolloutSiteRecord, RolloutStore, StoredRollout } from './ports.ts';
import type { VersionEntry } from '../../history/ports.ts';
import type { StoredSite } from '../../sites/ports.ts';

/** The rollout was stopped in the meantime, or another node has changed the site for it. */
export class RolloutInterrupted extends Error {}

/** The context for changing the sites of a rollout. */
export interface RolloutStep {
  readonly context: Context;
  readonly rollout: StoredRollout;
  /** Whether to stop waiting for an unreachable system. */
  hasWaitedEnough(): boolean;
}

/** Changes a site by the edits of its rollout. `wrong`: the checks that failed before. */
export async function editSite(step: RolloutStep, row: RolloutSiteRecord, wrong: readonly CheckId[]): Promise<void> {
  const edits = step.rollout.edits ?? [];
  await changeRow(step, row, {
    permission: permissionOf(edits),
    to: 'changed',
    wrong,
    async next(site, reads) {
      const { config, parts } = applyEdits(site, edits);
      await requireReviewed(reads, site, row, (one) => ({ before: one.config, after: applyEdits(one, edits).config }));
      return { config, parts };
    },
    failed: refusedRow,
  });
}

/** Makes a site extend the staged profile. */
export async function stageSite(step: RolloutStep, row: RolloutSiteRecord, wrong: readonly CheckId[]): Promise<void> {
  const { context, rollout } = step;
  const staged = { profile: rollout.profile?.staged ?? '' };
  await changeRow(step, row, {
    permission: 'config:write',
    to: 'staged',
    wrong,
    async next(site, reads) {
      await requireReviewedProfile({ context, reads }, rollout, site, row);
      const { config } = site;
      const { extends: before } = config;
      return { config: { ...config, extends: staged }, parts: { extends: { ...(before === undefined ? {} : { before }), after: staged } } };
    },
    failed: refusedRow,
  });
}

/**
 * Restores the previous parts of a site. If they were changed since, the site is left alone and its row says so; if it fails for another
 * reason, the row keeps its state and is marked as stuck.
 */
export async function restoreStoredSite(step: RolloutStep, row: RolloutSiteRecord, to: 'changed' | 'undone'): Promise<void> {
  const { settings } = step.context;
  const parts = row.parts ?? {};
  const names = Object.keys(parts);
  await changeRow(step, row, {
    permission: names.some(isAboutPeople) ? 'access:write' : 'config:write',
    to,
    next: async (site, reads) => ({ config: await restoredSite(reads, site, row, settings.codeHost) }),
    failed: (error) =>
      isChangedSince(error) ? { ...row, state: 'kept', problem: problemOf(error) } : { ...row, stuck: true, problem: problemOf(error) },
  });
}

/**
 * Refuses with PRECONDITION_FAILED if the site was changed since its preview and the result would differ from it. `changeOf`: the rollout's
 * change of a site.
 */
async function requireReviewed(
  reads: Reads,
  site: StoredSite,
  row: RolloutSiteRecord,
  changeOf: (site: StoredSite) => SiteChange,
): Promise<void> {
  const { reviewed } = row;
  if (reviewed === undefined || reviewed === site.version) return;
  const seen = await siteAt(reads, site, reviewed);
  if (!isUnshown(seen === undefined ? undefined : changeOf(seen), changeOf(site))) return;
  const { before, after } = differingParts(seen?.config ?? {}, site.config);
  throw new ChangedSince(Object.keys({ ...before, ...after }), await versionsSince(reads, { ...row, to: reviewed }));
}

/** The same for a site that gets another profile. */
export async function requireReviewedProfile(
  { context: { settings, now }, reads }: { readonly context: Pick<Context, 'settings' | 'now'>; readonly reads: Reads },
  { org, profile }: StoredRollout,
  site: StoredSite,
  row: RolloutSiteRecord,
): Promise<void> {
  if (profile === undefined || row.reviewed === undefined) return;
  if (extendedProfile(site.config) !== profile.name && row.state === 'waiting')
    throw new ChangedSince(['extends'], await versionsSince(reads, { ...row, to: row.reviewed }));
  const times = { created: now().toISOString(), now: now().toISOString() };
  const [before, after] = [
    (await reads.profile(org, profile.name))?.config,
    completeProfile(profile.name, profile.config, times, settings),
  ];
  await requireReviewed(reads, site, row, ({ config }) => ({ before: aggregateSite(config, before), after: aggregateSite(config, after) }));
}

/** A site at an earlier version. Undefined if that version is no longer stored. */
async function siteAt(reads: Reads, site: StoredSite, version: number): Promise<StoredSite | undefined> {
  try {
    const config = await readVersion(reads, { kind: 'site', org: site.org, site: site.site }, version, Site);
    const name = extendedProfile(config);
    const profile = name === undefined ? undefined : await reads.profile(site.org, name);
    return { ...site, config, aggregate: aggregateSite(config, profile?.config), version };
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

interface Changed {
  readonly config: SiteInput;
  readonly parts?: Readonly<Record<string, ChangedPart>>;
}

/** The site with the parts of its row restored. Refuses with PRECONDITION_FAILED if one of them was changed since. */
export async function restoredSite(reads: Reads, site: StoredSite, row: RolloutSiteRecord, codeHost: string): Promise<SiteInput> {
  const { parts = {} } = row;
  const config = withoutEdits(site, parts, (part, value) => completePart(part, value, codeHost));
  if (config === undefined) throw new ChangedSince(Object.keys(parts), await versionsSince(reads, row));
  return config;
}

interface RowChange {
  readonly permission: Permission;
  readonly to: RolloutSiteState;
  readonly wrong?: readonly CheckId[];
  next(site: StoredSite, reads: Reads): Changed | Promise<Changed>;
  /** The row if the site was not changed. */
  failed(error: Refusal, row: RolloutSiteRecord): RolloutSiteRecord;
}

/** One transaction with the site, its version and its row: a program killed between two sites has done each once, or not at all. */
async function changeRow({ context, rollout, hasWaitedEnough }: RolloutStep, row: RolloutSiteRecord, change: RowChange): Promise<void> {
  const { org, id, state: during } = rollout;
  const { site, state: expected } = row;
  let next: RolloutSiteRecord = { ...row, state: unchangedState(change.to) };
  let edited: RolloutSiteRecord['parts'];
  let isStored = false;
  try {
    await changeSite(context, {
      name: { org, site },
      permission: change.permission,
      action: `rollout/${id}`,
      query: {},
      async next(_current, reads) {
        await requireTurn(reads, row, during);
        const stored = await reads.site(org, site);
        if (stored === undefined) throw new RolloutInterrupted();
        const changed = await change.next(stored, reads);
        edited = changed.parts;
        const parts = edited ?? row.parts;
        const { problem: _problem, ...rest } = row;
        next = {
          ...rest,
          state: change.to,
          from: row.from ?? stored.version,
          to: stored.version + 1,
          ...defined({ parts, wrong: change.wrong }),
        };
        return changed.config;
      },
      async storeWith(writes, config) {
        isStored = true;
        // An undo compares with what was stored.
        if (edited !== undefined && config !== null) next = { ...next, parts: partsAsStored(edited, config) };
        await writes.changeRollout({ kind: 'site', row: next, expected, during });
      },
    });
    if (!isStored) next = { ...row, state: unchangedState(change.to) };
  } catch (error) {
    if (!isFinal(error, hasWaitedEnough)) throw error;
    isStored = false;
    next = change.failed(error, row);
  }
  if (!isStored) await context.store.write((writes) => writes.changeRollout({ kind: 'site', row: next, expected, during }));
}

function refusedRow(error: Refusal, row: RolloutSiteRecord): RolloutSiteRecord {
  return { ...row, state: 'refused', problem: problemOf(error) };
}

async function requireTurn(reads: Reads, { org, rollout, site, state }: RolloutSiteRecord, during: RolloutState): Promise<void> {
  const current = await reads.rolloutSite(org, rollout, site);
  if (current?.row.state !== state || current.state !== during) throw new RolloutInterrupted();
}

/** The latest versions of a site after the one that the rollout stored, newest first. */
async function versionsSince(reads: Reads, { org, site, to = 0 }: RolloutSiteRecord): Promise<VersionEntry[]> {
  const latest = await reads.versions({ kind: 'site', org, site }, { limit: NAMED_VERSIONS });
  return latest.filter(({ version }) => version > to);
}

function isChangedSince(error: Refusal): boolean {
  return error instanceof ChangedSince || error.code === 'SITE_NOT_FOUND';
}

/** The strictest permission of the calls that change these parts. */
export function permissionOf(edits: readonly Edit[]): Permission {
  return edits.some(({ path }) => isAboutPeople(pointerSegments(path)[0] ?? '')) ? 'access:write' : 'config:write';
}

function isAboutPeople(part: string): boolean {
  return part === 'access' || part === 'groups';
}

/** A refusal that a retry does not solve, or no longer. */
export function isFinal(error: unknown, hasWaitedEnough: () => boolean): error is Refusal {
  return error instanceof Refusal && !TRANSIENT.has(error.code) && !(isUnreachable(error) && !hasWaitedEnough());
}

/** Another system did not respond; it may be available later. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof Refusal && UNREACHABLE.has(error.code);
}

const TRANSIENT: ReadonlySet<string> = new Set(['STORAGE_UNAVAILABLE', 'STORAGE_FULL', 'OVERLOADED', 'SHUTTING_DOWN']);
const UNREACHABLE: ReadonlySet<string> = new Set(['CODE_HOST_UNREACHABLE', 'BUILD_MANAGEMENT_UNREACHABLE']);

/** The sites of a rollout in a state, read page by page. */
export async function* sitesInState(
  rollouts: RolloutStore,
  { org, id }: Pick<StoredRollout, 'org' | 'id'>,
  state: RolloutSiteState,
): AsyncGenerator<RolloutSiteRecord> {
  for (let after: string | undefined = ''; after !== undefined;) {
    const page: RolloutSiteRecord[] = await rollouts.sites(org, id, { state, after, limit: AT_ONCE });
    yield* page;
    after = page.length < AT_ONCE ? undefined : page.at(-1)?.site;
  }
}

const AT_ONCE = 200;
