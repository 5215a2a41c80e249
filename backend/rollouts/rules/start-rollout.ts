import { LIMITS } from '@repoless/contract/limits.ts';
import { ALL_SITES, type rolloutEndpoints, type RolloutInput, type RolloutPreview, type Wave } from '@repoless/contract/rollout.ts';
import type { ProfileInput } from '@repoless/contract/site.ts';
import { permit } from '../../access/permit.ts';
import { type Prepared, runWrite } from '../../changes/part-calls.ts';
import type { Context, Operation } from '../../domain/context.ts';
import { etagOf } from '../../domain/documents.ts';
import { checkPreconditions, Refusal } from '@repoless/contract/refusal.ts';
import { applyEdits } from '@repoless/core/rollouts/apply-edits.ts';
import {
  sitesInWaves,
  requireFewOpen,
  requireFitting,
  requireSites,
  rolloutRefused,
  rolloutView,
} from '@repoless/core/rollouts/rollout-rules.ts';
import type { Reads, Writes } from '../../domain/ports.ts';
import { changeProfile, findProfile } from '../../profiles/profile-document.ts';
import type { StartedSite, ProfileRollout, RolloutRecord, RolloutStarter } from './ports.ts';
import { previewProfile, previewSites } from './preview.ts';
import { permissionOf } from './site-steps.ts';
import { ANONYMOUS, apiKeyUser, type Caller, requireUser } from '../../sessions/identity.ts';

/** Starts a change of many sites; with `?dryRun=true` describes its effect on each. `wake`: this rollout has work to do. */
export function startRollout(wake: (rollout: string) => void): Operation<(typeof rolloutEndpoints)['startRollout']> {
  return async (context, input) => {
    const { params, body, query } = input;
    const { org } = params;
    const started = await create(context, org, body);
    const prepare = async (reads: Reads): Promise<Prepared> => {
      permit(context.caller, 'org:configure', { name: org, org: await reads.org(org) });
      checkPreconditions(input, started.etag);
      const { rollout, sites } = started;
      const beside = await fewOpen(context, rollout);
      const shown = rolloutView(rollout, { total: sites.length, states: { waiting: sites.length }, worse: 0, stuck: 0 });
      return {
        result: 'created',
        body: shown,
        etag: etagOf(shown),
        ...(query.dryRun === true ? { dryRunResult: { ...shown, preview: await started.preview() } } : {}),
        diff: [],
        async store(writes) {
          await writes.changeRollout({ kind: 'start', rollout, sites, beside });
          const user = requireUser(context.caller).email;
          await writes.addAudit({ org, time: context.now(), user, action: `start-rollout/${rollout.id}`, requestId: context.requestId });
        },
      };
    };
    const outcome = await runWrite(context, input, prepare, { kind: 'org', org });
    if (query.dryRun === true) return outcome;
    await context.store.rollouts.removeOldest(org, LIMITS.rolloutsKept);
    wake(started.rollout.id);
    return outcome;
  };
}

interface Started {
  readonly rollout: RolloutRecord;
  /** Of the profile that is rolled out. */
  readonly etag?: string;
  readonly sites: readonly StartedSite[];
  preview(): Promise<RolloutPreview>;
}

async function create(context: Context, org: string, body: RolloutInput): Promise<Started> {
  const { title, edits, profile: name, config, reviewed } = body;
  const waves: readonly Wave[] = body.waves ?? [ALL_SITES];
  const common: RolloutRecord = {
    org,
    id: context.newId(),
    title,
    state: 'running',
    waves,
    wave: 1,
    startedBy: requireUser(context.caller).email,
    by: starterOf(context.caller),
    requestId: context.requestId,
    started: context.now().toISOString(),
  };
  if (name !== undefined && config !== undefined) {
    const { profile, etag } = await profileRollout(context, org, name, config);
    const stored = await context.store.reads.sitesOfProfile(org, name);
    const sites = stored.map(({ site }) => site);
    if (sites.length === 0)
      throw rolloutRefused(
        { reason: 'profileUnused', profile: name },
        `No site extends the profile "${name}". Set it directly: PUT /config/${org}/profiles/${name}.json.`,
      );
    requireSites(org, sites);
    return {
      rollout: { ...common, profile },
      etag,
      sites: sitesInWaves(sites, waves, reviewed),
      preview: () => previewProfile(context, { org, name, config, sites: stored, waves }),
    };
  }
  requireFitting(edits ?? []);
  const sites = body.sites ?? (await context.store.reads.listSiteNames(org, { limit: LIMITS.rolloutSites + 1 }));
  requireSites(org, sites);
  return {
    rollout: { ...common, edits: edits ?? [] },
    sites: sitesInWaves(sites, waves, reviewed),
    preview: () =>
      previewSites(context, {
        org,
        sites,
        waves,
        permission: permissionOf(edits ?? []),
        next: (stored) => applyEdits(stored, edits ?? []).config,
      }),
  };
}

async function profileRollout(
  context: Context,
  org: string,
  name: string,
  config: ProfileInput,
): Promise<{ profile: ProfileRollout; etag: string }> {
  const current = await findProfile(context, { org, profile: name });
  if ([current.config, config].some(({ secrets, tokens }) => secrets !== undefined || tokens !== undefined))
    throw rolloutRefused(
      { reason: 'credentials', profile: name },
      `The profile "${name}" holds credentials, which cannot be staged for the first waves. Set it directly: PUT /config/${org}/profiles/${name}.json.`,
    );
  // Missing permissions and broken rules are refused before anything starts.
  const { prediction } = await withinConfig(() =>
    changeProfile(context, {
      name: { org, profile: name },
      permission: 'org:configure',
      action: 'put',
      query: { dryRun: true },
      next: () => config,
    }),
  );
  if (prediction?.diff.length === 0)
    throw rolloutRefused({ reason: 'same', profile: name }, `The profile "${name}" already has this configuration.`);
  const staged = `rollout-${context.newId().slice(0, 8)}`;
  return { profile: { name, config, staged, from: current.version }, etag: current.etag };
}

/** Makes pointers to errors in a profile relative to the body of the rollout. */
async function withinConfig<T>(change: () => Promise<T>): Promise<T> {
  try {
    return await change();
  } catch (error) {
    if (!(error instanceof Refusal) || error.errors === undefined) throw error;
    throw error.with({ errors: error.errors.map((item) => ({ ...item, pointer: `/config${item.pointer}` })) });
  }
}

/** Returns the unfinished ones of the organization. */
async function fewOpen({ store }: Context, { org, profile }: RolloutRecord): Promise<string[]> {
  return requireFewOpen(await store.rollouts.list(org), profile?.name).map(({ id }) => id);
}

export function starterOf(caller: Caller): RolloutStarter {
  const { email, names, key } = requireUser(caller);
  return { email, names, ...(key === undefined ? {} : { key }) };
}

/** The starter as a caller, with the current roles; anonymous if it was an API key that has expired. */
export async function callerOf({ email, names, key }: RolloutStarter, reads: Reads, now: Date): Promise<Caller> {
  if (key === undefined) return { kind: 'user', email, names, tokenId: '', credential: 'header' };
  const stored = await reads.apiKey(key.id);
  return stored === undefined || stored.expires <= now ? ANONYMOUS : apiKeyUser(key);
}

/** A rollout that stopped by itself is an open problem until someone decides whether it continues (docs/contract.md 9.1). */
export async function reportStoppedRollout(
  writes: Writes,
  { org, id, title }: RolloutRecord,
  { isOpen, now }: { isOpen: boolean; now: Date },
): Promise<void> {
  await writes.setCause({ kind: 'rollout-stopped', cause: `rollout:${id}`, org, about: title, isOpen, time: now.toISOString() });
}
