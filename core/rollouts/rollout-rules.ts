import { defined } from '@repoless/contract/json.ts';
import { type FieldError, jsonPointer, pointerSegments } from '@repoless/contract/errors.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import { Refusal } from '@repoless/contract/refusal.ts';
import type {
  Edit,
  EditedPart,
  Rollout,
  RolloutProblem,
  RolloutSite,
  RolloutSiteState,
  RolloutState,
  StopReason,
  Wave,
} from '@repoless/contract/rollout.ts';
import type { CheckId } from '@repoless/contract/site-check.ts';
import { SiteInput } from '@repoless/contract/site.ts';
import { problemsOf } from '@repoless/contract/value-problems.ts';
import { refusalMembers } from '@repoless/contract/value-rules.ts';
import { unshownWrite } from '../plan/plan-work.ts';

// The rules of rollouts, wherever they are carried out (docs/contract.md 3.17).

/** A change to many sites. Times are ISO. */
export interface RolloutFacts {
  readonly id: string;
  readonly title: string;
  readonly state: RolloutState;
  /** Either of these two. */
  readonly edits?: readonly Edit[] | undefined;
  readonly profile?: { readonly name: string } | undefined;
  readonly waves: readonly Wave[];
  /** From 1; one more than the number of waves when all sites were tried. */
  readonly wave: number;
  readonly startedBy: string;
  readonly started: string;
  readonly ended?: string | undefined;
  /** `undoing`: an undo was stopped. */
  readonly stopped?: Rollout['stopped'];
}

export interface RolloutSiteFacts {
  readonly site: string;
  readonly wave: number;
  readonly state: RolloutSiteState;
  /** The version whose change the review showed, 0 if it showed none; absent if there was no review. */
  readonly reviewed?: number | undefined;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly problem?: RolloutProblem | undefined;
  /** It could not be restored, and is not retried until someone orders it. */
  readonly stuck?: true | undefined;
  /** Checks that fail since; absent if the site was not checked. */
  readonly worse?: readonly CheckId[] | undefined;
}

export interface RolloutCounts {
  readonly total: number;
  readonly states: Readonly<Partial<Record<RolloutSiteState, number>>>;
  readonly worse: number;
  readonly stuck: number;
}

/** The sites of a rollout in their order. `reviewed`: the versions shown in the review. */
export function sitesInWaves(
  names: readonly string[],
  waves: readonly Wave[],
  reviewed: Readonly<Record<string, number>> | undefined,
): Pick<RolloutSiteFacts, 'site' | 'wave' | 'reviewed'>[] {
  const shown = reviewed === undefined ? undefined : new Map(Object.entries(reviewed));
  return names.map((site, index) => ({
    site,
    wave: waveOfSite(index, names.length, waves),
    ...(shown === undefined ? {} : { reviewed: shown.get(site) ?? 0 }),
  }));
}

/** A site before and after the rollout's change. */
export interface SiteChange {
  readonly before: object;
  readonly after: object;
}

/**
 * Whether it would write something that its review did not show. Takes the change of the reviewed site, and the change it would make now.
 */
export function isUnshown(shown: SiteChange | undefined, now: SiteChange): boolean {
  const writes = (change: SiteChange | undefined) =>
    change === undefined ? [] : [{ id: 'site', state: { kind: 'change', ...change } as const }];
  return unshownWrite(writes(shown), writes(now)) !== undefined;
}

/** The public view of a rollout. */
export function rolloutView(rollout: RolloutFacts, { total, states, worse, stuck }: RolloutCounts): Rollout {
  const { id, title, state, edits, profile, waves, wave, started, startedBy, ended, stopped } = rollout;
  return {
    id,
    title,
    state,
    ...(edits === undefined ? {} : { edits: [...edits] }),
    ...(profile === undefined ? {} : { profile: profile.name }),
    waves: [...waves],
    wave,
    total,
    sites: states,
    worse,
    ...(stuck === 0 ? {} : { stuck }),
    started,
    startedBy,
    ...defined({ ended, stopped }),
  };
}

export function rolloutSiteView({ site, wave, state, from, to, problem, stuck, worse = [] }: RolloutSiteFacts): RolloutSite {
  return {
    name: site,
    wave,
    state,
    ...defined({ from, to }),
    ...problem,
    ...(stuck === undefined ? {} : { stuck }),
    ...(worse.length === 0 ? {} : { worse: [...worse] }),
  };
}

/** Of many invalid fields only the first: a rollout stores them for thousands of sites. */
export function problemOf(refusal: Refusal): RolloutProblem & { code: string } {
  const { errors, ...problem } = refusalMembers(refusal);
  return { ...problem, ...(errors && { errors: errors.slice(0, STORED_ERRORS) }) };
}

const STORED_ERRORS = 10;

export function rolloutRefused(data: ConstructorParameters<typeof Refusal<'ROLLOUT_REFUSED'>>[2]['data'], sentence: string): Refusal {
  return new Refusal('ROLLOUT_REFUSED', sentence, { data });
}

/** Takes the sites of a rollout, and their maximum number. */
export function requireSites(org: string, sites: readonly string[], limit: number = LIMITS.rolloutSites): void {
  if (sites.length === 0) throw rolloutRefused({ reason: 'noSites' }, `The organization "${org}" has no sites.`);
  if (sites.length > limit)
    throw rolloutRefused({ reason: 'sites', limit: `${limit}` }, `A rollout has at most ${limit} sites. List them in "sites".`);
  const seen = new Set<string>();
  for (const [index, site] of sites.entries()) {
    if (seen.has(site)) {
      const detail = `The site "${site}" is listed twice. List each site once.`;
      throw new Refusal('BODY_INVALID', detail, { errors: [{ pointer: `/sites/${index}`, detail }] });
    }
    seen.add(site);
  }
}

/** Takes the rollouts of an organization, and the profile of a new one. Returns the unfinished ones. */
export function requireFewOpen<T extends RolloutFacts>(rollouts: readonly T[], profile: string | undefined): T[] {
  const open = rollouts.filter(({ state }) => state !== 'done' && state !== 'undone');
  const same = profile === undefined ? undefined : open.find((one) => one.profile?.name === profile);
  if (same !== undefined)
    throw rolloutRefused(
      { reason: 'profileOpen', profile: profile ?? '', title: same.title },
      `The profile "${profile}" is already being rolled out ("${same.title}"). Finish that rollout first.`,
    );
  if (open.length >= LIMITS.openRollouts)
    throw rolloutRefused(
      { reason: 'open', limit: `${LIMITS.openRollouts}` },
      `The organization has ${LIMITS.openRollouts} unfinished rollouts, which is the limit. Resume or undo one first.`,
    );
  return open;
}

/**
 * Throws BODY_INVALID for an edit whose value fits no site, before any site is read. What depends on the rest of a part, or on variables,
 * is checked at each site.
 */
export function requireFitting(edits: readonly Edit[]): void {
  const errors = edits.flatMap((edit, index) => misfits(edit).map((error) => ({ ...error, pointer: `/edits/${index}${error.pointer}` })));
  const [first] = errors;
  if (first !== undefined) throw new Refusal('BODY_INVALID', `${first.pointer}: ${first.detail}`, { errors });
}

function misfits(edit: Edit): FieldError[] {
  if (edit.op === 'remove' || /\{[A-Za-z]+\}/.test(`${edit.path}${JSON.stringify(edit.value)}`)) return [];
  const [part = '', ...below] = pointerSegments(edit.path);
  const value = edit.op === 'add' ? [edit.value] : edit.value;
  const alone = below.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value);
  // Safe: the contract allows no other parts to be edited.
  const problems = problemsOf(SiteInput.shape[part as EditedPart], alone);
  const path = edit.op === 'add' ? [...below, 0] : below;
  return problems.flatMap(({ pointer, detail }) => {
    const at = pointerSegments(pointer);
    // An error above this location may be resolved by what a site already has there.
    return at.length < below.length ? [] : [{ pointer: `/value${jsonPointer(at.slice(path.length))}`, detail }];
  });
}

/** The rollout after an order, and which of its sites are retried. */
export interface OrderedRollout<T> {
  readonly rollout: T;
  readonly retried?: 'stuck' | 'refused';
}

export function stoppedRollout<T extends RolloutFacts>(current: T, by: string): OrderedRollout<T> {
  if (current.state !== 'running')
    throw rolloutRefused({ reason: 'notRunning' }, `Only a running rollout can be stopped; this one is ${STATES[current.state]}.`);
  return { rollout: { ...current, state: 'stopped', stopped: { reason: 'asked', by } } };
}

/** A stopped undo continues as an undo. */
export function resumedRollout<T extends RolloutFacts>(current: T, { states }: Pick<RolloutCounts, 'states'>): OrderedRollout<T> {
  const { stopped: reason, waves } = current;
  if (current.state === 'stopped') {
    if (reason?.undoing === true) return undoneRollout(current);
    if (reason?.reason === 'profile-changed')
      throw rolloutRefused(
        { reason: 'profileChanged' },
        'Somebody changed the profile since the rollout began. Undo the rollout, review the profile, and start a new one.',
      );
    return { rollout: { ...current, ...CONTINUED, state: 'running' }, retried: 'stuck' };
  }
  if (current.state !== 'done' || (states.refused ?? 0) === 0)
    throw rolloutRefused(
      { reason: 'notResumable' },
      `Only a rollout that stopped, or that ended with refused sites, can be resumed; this one is ${STATES[current.state]}.`,
    );
  return { rollout: { ...current, ...CONTINUED, state: 'running', wave: waves.length }, retried: 'refused' };
}

export function undoneRollout<T extends RolloutFacts>(current: T): OrderedRollout<T> {
  if (current.state === 'undoing' || current.state === 'undone')
    throw rolloutRefused({ reason: 'undone' }, `The rollout is already ${STATES[current.state]}.`);
  return { rollout: { ...current, ...CONTINUED, state: 'undoing' }, retried: 'stuck' };
}

const CONTINUED = { stopped: undefined, ended: undefined } as const;
const STATES = { running: 'running', stopped: 'stopped', done: 'done', undoing: 'being undone', undone: 'undone' } as const;

/** Stops, and leaves the remaining sites until someone decides. `cause` adds to the reason. */
export function haltedRollout<T extends RolloutFacts>(rollout: T, reason: StopReason, cause: StopCause = {}): T {
  const undoing = rollout.state === 'undoing' ? ({ undoing: true } as const) : {};
  return { ...rollout, state: 'stopped', stopped: { reason, ...cause, ...undoing } };
}

/** A sentence in English, and what it consists of. */
export type StopCause = Omit<NonNullable<Rollout['stopped']>, 'reason' | 'undoing'>;

/** A problem, of this site if one is given. */
export function stopCause(problem: RolloutProblem, site?: string): StopCause {
  return site === undefined ? { detail: problem.detail, problem } : { detail: `${site}: ${problem.detail}`, site, problem };
}

/** Sites could not be restored. Takes their number and the first of them. */
export function stuckCause(count: number, first: RolloutSiteFacts | undefined): StopCause {
  const sites = count === 1 ? '1 site could not be restored.' : `${count} sites could not be restored.`;
  if (first?.problem === undefined) return { detail: sites, count };
  const cause = stopCause(first.problem, first.site);
  return { ...cause, count, detail: `${sites} ${cause.detail}` };
}

/**
 * After all sites of the wave were tried: the next wave, or the end; stops if a check fails that passed before, or if sites refused the
 * change before the last wave.
 */
export function afterWave<T extends RolloutFacts>(rollout: T, { worse, states }: RolloutCounts, now: Date): T {
  const { wave, waves } = rollout;
  const next = { ...rollout, wave: wave + 1 };
  if (wave <= waves.length && worse > 0) return haltedRollout(next, 'worse');
  if (wave < waves.length) return (states.refused ?? 0) > 0 ? haltedRollout(next, 'refused') : next;
  return { ...next, wave: waves.length + 1, state: 'done', ended: now.toISOString() };
}

/** The state of a site that already has the intended configuration. */
export function unchangedState(to: RolloutSiteState): RolloutSiteState {
  return to === 'changed' || to === 'staged' ? 'unchanged' : to;
}

/** The wave, from 1, in which a site at this index is changed. Each wave says how many sites have the change after it. */
export function waveOfSite(index: number, total: number, waves: readonly Wave[]): number {
  const wave = waves.findIndex((one) => index < sizeOf(one, total));
  return wave < 0 ? waves.length : wave + 1;
}

function sizeOf(wave: Wave, total: number): number {
  return typeof wave === 'number' ? wave : Math.ceil((Number(wave.slice(0, -1)) * total) / 100);
}
