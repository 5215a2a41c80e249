import { codeSentence } from '@repoless/contract/code-sentences.ts';
import { aggregateSite, extendedProfile } from '@repoless/contract/aggregate-site.ts';
import { defined, sameValue, valueAt } from '@repoless/contract/json.ts';
import { Refusal } from '@repoless/contract/refusal.ts';
import { pointerSegments } from '@repoless/contract/errors.ts';
import type { Edit } from '@repoless/contract/rollout.ts';
import type { Profile, Site, SiteInput } from '@repoless/contract/site.ts';
import { applyEdits, ChangedSince, type Edited, partsAsStored, withoutEdits } from '@repoless/core/rollouts/apply-edits.ts';
import { differingParts } from '@repoless/core/rollouts/preview-rollout.ts';
import { isUnshown, problemOf, rolloutRefused, unchangedState } from '@repoless/core/rollouts/rollout-rules.ts';
import type { Call, Outcome } from './call.ts';
import { change } from './change.ts';
import { load, PROFILE, type Raw, SITE } from './document.ts';
import type { RunningRollout, StoredRollout, StoredRolloutSite } from './rollout-document.ts';
import { currentVersion, versionData } from './versions.ts';
import { PartlyStored } from './write.ts';
import type { CheckId } from '@repoless/contract/site-check.ts';
import { checkOneSite } from './check-sites.ts';

/** Attempts for a site if the hosted service does not respond. */
const ATTEMPTS = 3;

/** It was stopped, or an undo has started. */
export class Interrupted extends Error {}

export type Tries = Map<string, number>;

export interface RolloutStep {
  readonly call: Call;
  readonly rollout: RunningRollout;
  readonly during: StoredRollout['state'];
  readonly tries: Tries;
}

function putRow({ rollout }: RolloutStep, row: StoredRolloutSite): void {
  const rows = rollout.document.rows.map((one) => (one.site === row.site ? row : one));
  rollout.document = { ...rollout.document, rows };
}

export function requireUninterrupted({ rollout, during }: RolloutStep): void {
  if (rollout.document.state !== during) throw new Interrupted();
}

/** The site after the rollout's change: its edits, or extending the staged profile. Throws refusals. */
export async function editedSite(call: Call, current: Raw, { edits, profile }: Pick<StoredRollout, 'edits' | 'profile'>): Promise<Edited> {
  // Safe: it was fitted to the schema of a site.
  const config = current as unknown as SiteInput;
  const { org = '', site = '' } = call.params;
  if (profile !== undefined) {
    const after = { profile: profile.staged };
    const { extends: before } = config;
    return { config: { ...config, extends: after }, parts: { extends: { ...(before === undefined ? {} : { before }), after } } };
  }
  const aggregate = needsProfile(config, edits ?? []) ? await effective(call, config) : config;
  return applyEdits({ org, site, config, aggregate }, edits ?? []);
}

/** When a site was last written. */
export function timeOf({ lastModified }: Raw): number {
  return Date.parse(String(lastModified)) || 0;
}

/**
 * Refuses with ChangedSince if the site was changed since its preview and the result would differ from it. The previewed version is read
 * only then.
 */
async function requireReviewed(
  call: Call,
  { current, edited }: { readonly current: Raw; readonly edited: Edited },
  { reviewed }: StoredRolloutSite,
  rollout: StoredRollout,
): Promise<void> {
  if (rollout.profile !== undefined || reviewed === undefined || reviewed === timeOf(current)) return;
  const versions = await currentVersion(call, SITE);
  const seen = versions.findLast(({ created }) => Date.parse(created) === reviewed);
  const shown = seen === undefined ? undefined : await versionData(call, SITE, seen.version);
  const change = shown === undefined ? undefined : { before: shown, after: (await editedSite(call, shown, rollout)).config };
  if (!isUnshown(change, { before: current, after: edited.config })) return;
  const { before, after } = differingParts(shown ?? {}, current);
  const since = versions.filter(({ version }) => version > (seen?.version ?? 0));
  throw new ChangedSince(Object.keys({ ...before, ...after }), since.toReversed());
}

/** The effective configuration of a site. The profile is read once for all sites that extend it. */
async function effective(call: Call, config: SiteInput): Promise<SiteInput> {
  const { org = '' } = call.params;
  const profile = extendedProfile(config);
  if (profile === undefined) return config;
  const found = await call.cached(`profile ${org}/${profile}`, async () => load({ ...call, params: { org, profile } }, PROFILE));
  // Safe: both were fitted to their schemas.
  return aggregateSite(config as Site, found?.shown as unknown as Profile | undefined);
}

/** Whether an edit needs a value that the site may have from its profile, which is read only then. */
function needsProfile(config: SiteInput, edits: readonly Edit[]): boolean {
  const hasMappings = config.public?.paths?.mappings !== undefined;
  return edits.some((edit) => {
    const segments = pointerSegments(edit.path);
    const isOfList = edit.op === 'add' || (edit.op === 'remove' && edit.value !== undefined);
    const usesRoot = /\{(?:contentRoot|country|language)\}/.test(`${edit.path}${JSON.stringify(edit.value)}`);
    return (usesRoot && !hasMappings) || (isOfList && segments[0] !== 'headers' && valueAt(config, segments) === undefined);
  });
}

/** A call for one site, with the token of the rollout. */
export function siteCall(call: Call, { org, id }: Pick<StoredRollout, 'org' | 'id'>, params: Readonly<Record<string, string>>): Call {
  const { ifMatch: _match, ifNoneMatch: _none, ...rest } = call;
  const address = `/config/${org}/rollouts/${id}.json`;
  return { ...rest, method: 'POST', address, params: { org, ...params }, query: {}, body: undefined };
}

export async function editRow(step: RolloutStep, row: StoredRolloutSite): Promise<void> {
  const { rollout } = step;
  const to = rollout.document.profile === undefined ? 'changed' : 'staged';
  let parts: StoredRolloutSite['parts'];
  let { wrong } = row;
  await attempted(step, row, {
    async next(call, current) {
      const edited = await editedSite(call, current, rollout.document);
      if (!sameValue(current, edited.config)) {
        await requireReviewed(call, { current, edited }, row, rollout.document);
        requireRoom(rollout.document, row, edited.parts);
        parts = edited.parts;
        // If a program that ended sent the change, the earlier failures are already stored.
        wrong ??= await wrongAt(call, current, rollout.document, 'before');
        putRow(step, { ...row, parts, wrong });
        await rollout.save();
      }
      return edited.config as unknown as Raw;
    },
    done: ({ body, change: record }) => {
      const { problem: _problem, ...rest } = row;
      // If nothing is left to send, a program that ended sent the stored parts.
      if (record === undefined) return { ...rest, state: row.parts === undefined ? unchangedState(to) : to };
      return {
        ...rest,
        ...defined({ wrong, from: record.previous, to: record.version }),
        state: to,
        parts: partsAsStored(parts ?? {}, Object(body)),
        ...(record.outcome === 'differs' ? { amiss: true as const, problem: { detail: codeSentence('hostedDiffers.any') } } : {}),
      };
    },
    failed(error) {
      if (error instanceof PartlyStored && parts !== undefined)
        return { ...row, ...(wrong && { wrong }), state: to, parts, amiss: true as const, problem: problemOf(error) };
      const { parts: _parts, wrong: _wrong, ...rest } = row;
      return { ...rest, state: 'refused', problem: problemOf(error) };
    },
  });
}

/** Characters of the previous and new values of a rollout's sites. All of it is one document, which is rewritten for each site. */
const MAX_PARTS = 4_000_000;
const lengths = new WeakMap<object, number>();

function lengthOf(parts: object | undefined): number {
  if (parts === undefined) return 0;
  const length = lengths.get(parts) ?? JSON.stringify(parts).length;
  lengths.set(parts, length);
  return length;
}

function requireRoom({ rows }: StoredRollout, { site }: StoredRolloutSite, parts: object): void {
  const length = rows.reduce((sum, row) => sum + (row.site === site ? 0 : lengthOf(row.parts)), lengthOf(parts));
  if (length > MAX_PARTS)
    throw rolloutRefused(
      { reason: 'size', limit: `${MAX_PARTS}` },
      `What the rollout changes, before and after, has more than ${MAX_PARTS} characters. Roll it out to fewer sites at once.`,
    );
}

/** Restores the previous parts of a site, unless they were changed since. */
export async function revertOne(step: RolloutStep, row: StoredRolloutSite, to: 'changed' | 'undone'): Promise<void> {
  await attempted(step, row, {
    next: (call, current) => restoredSite(call, current, row),
    done: ({ change: record }) => {
      const { problem: _problem, stuck: _stuck, ...rest } = row;
      return { ...rest, ...(record?.version === undefined ? {} : { to: record.version }), state: to };
    },
    failed: (error) =>
      error instanceof ChangedSince || error.code === 'SITE_NOT_FOUND'
        ? { ...row, state: 'kept', problem: problemOf(error) }
        : { ...row, stuck: true as const, problem: problemOf(error) },
  });
}

/** The site with the parts of its row restored. Refuses with ChangedSince. */
export async function restoredSite(call: Call, current: Raw, { parts = {}, to = 0 }: StoredRolloutSite): Promise<Raw> {
  // Safe: it was fitted to the schema of a site.
  const config = withoutEdits({ config: current as unknown as SiteInput }, parts, (_part, value) => value);
  if (config !== undefined) return config as unknown as Raw;
  const since = (await currentVersion(call, SITE)).filter(({ version }) => version > to);
  throw new ChangedSince(Object.keys(parts), since.toReversed());
}

interface SiteChange {
  next(call: Call, current: Raw): Promise<Raw>;
  done(outcome: Outcome): StoredRolloutSite;
  failed(error: Refusal): StoredRolloutSite;
}

/** Changes a site and records the result. Retries if the hosted service does not respond; stops the rollout if the sign-in has ended. */
async function attempted(step: RolloutStep, row: StoredRolloutSite, { next, done, failed }: SiteChange): Promise<void> {
  const { call, rollout } = step;
  const own = siteCall(call, rollout.document, { site: row.site });
  try {
    const outcome = await change(own, SITE, {
      view: [],
      async next(current) {
        const changed = await next(own, current ?? {});
        requireUninterrupted(step);
        return changed;
      },
    });
    putRow(step, done(outcome));
  } catch (error) {
    if (!(error instanceof Refusal) || error.code === 'NOT_AUTHENTICATED') throw error;
    if (!UNREACHABLE.has(error.code)) return putRow(step, failed(error));
    retry(step, row, error);
  }
}

/** Leaves a site for another attempt if the hosted service does not respond; rejects after several. */
function retry({ tries }: RolloutStep, { site }: StoredRolloutSite, error: Refusal): void {
  const count = (tries.get(site) ?? 0) + 1;
  tries.set(site, count);
  if (count >= ATTEMPTS) throw error;
}

/** Records the failing checks of a site: those before a profile changes for it, and the new ones after its wave. */
export async function noteChecks(step: RolloutStep, row: StoredRolloutSite, when: 'before' | 'after'): Promise<void> {
  const { call, rollout } = step;
  try {
    const wrong = await wrongNow(siteCall(call, rollout.document, { site: row.site }), rollout.document, when);
    requireUninterrupted(step);
    const { wrong: before = [] } = row;
    putRow(step, { ...row, ...(when === 'before' ? { wrong } : { worse: wrong.filter((check) => !before.includes(check)) }) });
  } catch (error) {
    if (!(error instanceof Refusal) || !UNREACHABLE.has(error.code)) throw error;
    retry(step, row, error);
  }
}

const UNREACHABLE: ReadonlySet<string> = new Set(['HOSTED_UNREACHABLE', 'OUTCOME_UNKNOWN', 'RATE_LIMITED']);

/** The failing checks of a site, before it is changed or after its wave. */
async function wrongAt(
  call: Call,
  shown: Raw,
  { id, wave }: Pick<StoredRollout, 'id' | 'wave'>,
  when: 'before' | 'after',
): Promise<CheckId[]> {
  const findings = await checkOneSite(call, shown, `${id} ${wave} ${when}`);
  return findings.filter(({ verdict }) => verdict === 'wrong').map(({ check }) => check);
}

/** The same, reading the site first. A site that is missing, or that the caller may no longer read, is not evaluated. */
async function wrongNow(call: Call, rollout: Pick<StoredRollout, 'id' | 'wave'>, when: 'before' | 'after'): Promise<CheckId[]> {
  const current = await load(call, SITE).catch((error: unknown) => {
    if (error instanceof Refusal && error.code === 'NOT_AUTHORIZED') return undefined;
    throw error;
  });
  return current === undefined ? [] : await wrongAt(call, current.shown, rollout, when);
}

/** A changed site that has not been checked since. A site without a check before the change is not compared. */
export function isUnevaluated({ state, wrong, worse }: StoredRolloutSite): boolean {
  return (state === 'changed' || state === 'staged') && wrong !== undefined && worse === undefined;
}
