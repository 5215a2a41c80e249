import { type FieldError, jsonPointer } from '@repoless/contract/errors.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import {
  ALL_SITES,
  type Edit,
  type EditedPart,
  pointerSegments,
  type rolloutEndpoints,
  type RolloutInput,
  type RolloutPreview,
  type Wave,
} from '@repoless/contract/rollout.ts';
import { type ProfileInput, SiteInput } from '@repoless/contract/site.ts';
import { permit } from '../../access/permit.ts';
import { type Prepared, runWrite } from '../../changes/part-calls.ts';
import { type Context, type Operation, requireUser } from '../../domain/context.ts';
import { etagOf } from '../../domain/documents.ts';
import { checkPreconditions, Refusal } from '@repoless/contract/refusal.ts';
import { problemsOf } from '@repoless/contract/value-problems.ts';
import type { Reads } from '../../domain/ports.ts';
import { findProfile } from '../../profiles/find-profile.ts';
import { changeProfile } from '../../profiles/profile-document.ts';
import type { ProfileRollout, RolloutRecord } from './ports.ts';
import { applyEdits } from './apply-edits.ts';
import { previewProfile, previewSites, waveOf } from './preview.ts';
import { rolloutView, starterOf } from './rollout.ts';
import { permissionOf } from './site-steps.ts';

/** Starts a change of many sites; with `?dryRun=true` says what it would make of each. `wake`: there is something to work on, this rollout. */
export function startRollout(wake: (rollout: string) => void): Operation<(typeof rolloutEndpoints)['startRollout']> {
  return async (context, input) => {
    const { params, body, query } = input;
    const { org } = params;
    const begun = await begin(context, org, body);
    const prepare = async (reads: Reads): Promise<Prepared> => {
      permit(context.caller, 'org:configure', { name: org, org: await reads.org(org) });
      checkPreconditions(input, begun.etag);
      const { rollout, sites } = begun;
      const beside = await requireFewOpen(context, rollout);
      const shown = rolloutView(rollout, { total: sites.length, states: { waiting: sites.length }, worse: 0, stuck: 0 });
      return {
        result: 'created',
        body: shown,
        etag: etagOf(shown),
        ...(query.dryRun === true ? { dryRunResult: { ...shown, preview: await begun.preview() } } : {}),
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
    await context.store.rollouts.forget(org, LIMITS.rolloutsKept);
    wake(begun.rollout.id);
    return outcome;
  };
}

interface Begun {
  readonly rollout: RolloutRecord;
  /** Of the profile that is rolled out. */
  readonly etag?: string;
  readonly sites: readonly { readonly site: string; readonly wave: number }[];
  preview(): Promise<RolloutPreview>;
}

async function begin(context: Context, org: string, body: RolloutInput): Promise<Begun> {
  const { title, edits, profile: name, config } = body;
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
  const placed = (names: readonly string[]) => names.map((site, index) => ({ site, wave: waveOf(index, names.length, waves) }));
  if (name !== undefined && config !== undefined) {
    const { profile, etag } = await profileRollout(context, org, name, config);
    const stored = await context.store.reads.sitesOfProfile(org, name);
    const sites = stored.map(({ site }) => site);
    if (sites.length === 0)
      throw refused(
        { reason: 'profileUnused', profile: name },
        `No site extends the profile "${name}". Set it directly: PUT /config/${org}/profiles/${name}.json.`,
      );
    requireNotMany(sites.length);
    return {
      rollout: { ...common, profile },
      etag,
      sites: placed(sites),
      preview: () => previewProfile(context, { org, name, config, sites: stored, waves }),
    };
  }
  requireFitting(edits ?? []);
  const sites = body.sites ?? (await allSites(context.store.reads, org));
  requireOnce(sites);
  if (sites.length === 0) throw refused({ reason: 'noSites' }, `The organization "${org}" has no sites.`);
  return {
    rollout: { ...common, edits: edits ?? [] },
    sites: placed(sites),
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
  const present = await findProfile(context, { org, profile: name });
  if ([present.config, config].some(({ secrets, tokens }) => secrets !== undefined || tokens !== undefined))
    throw refused(
      { reason: 'credentials', profile: name },
      `The profile "${name}" holds credentials, which cannot be staged for the first waves. Set it directly: PUT /config/${org}/profiles/${name}.json.`,
    );
  // Who may not set it, and what breaks a rule, is refused before anything begins.
  const { trial } = await withinConfig(() =>
    changeProfile(context, {
      name: { org, profile: name },
      permission: 'org:configure',
      action: 'put',
      query: { dryRun: true },
      next: () => config,
    }),
  );
  if (trial?.diff.length === 0) throw refused({ reason: 'same', profile: name }, `The profile "${name}" already has this configuration.`);
  const staged = `rollout-${context.newId().slice(0, 8)}`;
  return { profile: { name, config, staged, from: present.version }, etag: present.etag };
}

/** What is wrong with a profile is told by its place in the body of the rollout. */
async function withinConfig<T>(change: () => Promise<T>): Promise<T> {
  try {
    return await change();
  } catch (error) {
    if (!(error instanceof Refusal) || error.errors === undefined) throw error;
    const { code, message, detail, data, retryAfter } = error;
    throw new Refusal(code, message, {
      errors: error.errors.map((item) => ({ ...item, pointer: `/config${item.pointer}` })),
      ...(detail === undefined ? {} : { detail }),
      ...(data === undefined ? {} : { data }),
      ...(retryAfter === undefined ? {} : { retryAfter }),
    });
  }
}

async function allSites(reads: Reads, org: string): Promise<string[]> {
  const names = await reads.listSiteNames(org, { limit: LIMITS.rolloutSites + 1 });
  requireNotMany(names.length);
  return names;
}

function requireNotMany(sites: number): void {
  if (sites <= LIMITS.rolloutSites) return;
  const sentence = `A rollout has at most ${LIMITS.rolloutSites} sites. List them in "sites".`;
  throw refused({ reason: 'sites', limit: `${LIMITS.rolloutSites}` }, sentence);
}

function requireOnce(sites: readonly string[]): void {
  const seen = new Set<string>();
  for (const [index, site] of sites.entries()) {
    if (seen.has(site)) {
      const detail = `The site "${site}" is listed twice. List each site once.`;
      throw new Refusal('BODY_INVALID', detail, { errors: [{ pointer: `/sites/${index}`, detail }] });
    }
    seen.add(site);
  }
}

/** Answers the unfinished ones of the organization. */
async function requireFewOpen({ store }: Context, { org, profile }: RolloutRecord): Promise<string[]> {
  const open = (await store.rollouts.list(org)).filter(({ state }) => state !== 'done' && state !== 'undone');
  const same = profile === undefined ? undefined : open.find((one) => one.profile?.name === profile.name);
  if (same !== undefined)
    throw refused(
      { reason: 'profileOpen', profile: profile?.name ?? '', title: same.title },
      `The profile "${profile?.name}" is already being rolled out ("${same.title}"). Finish that rollout first.`,
    );
  if (open.length >= LIMITS.openRollouts)
    throw refused(
      { reason: 'open', limit: `${LIMITS.openRollouts}` },
      `The organization has ${LIMITS.openRollouts} unfinished rollouts, which is the limit. Resume or undo one first.`,
    );
  return open.map(({ id }) => id);
}

function refused(data: ConstructorParameters<typeof Refusal<'ROLLOUT_REFUSED'>>[2]['data'], sentence: string): Refusal {
  return new Refusal('ROLLOUT_REFUSED', sentence, { data });
}

/**
 * Refuses with BODY_INVALID an edit whose value fits no site, before any is looked at. What depends on the rest of a part, or on variables,
 * is found out at each site.
 */
function requireFitting(edits: readonly Edit[]): void {
  const errors = edits.flatMap((edit, index) => misfits(edit).map((error) => ({ ...error, pointer: `/edits/${index}${error.pointer}` })));
  const [first] = errors;
  if (first !== undefined) throw new Refusal('BODY_INVALID', `${first.pointer}: ${first.detail}`, { errors });
}

function misfits(edit: Edit): FieldError[] {
  if (edit.op === 'remove' || /\{[A-Za-z]+\}/.test(`${edit.path}${JSON.stringify(edit.value)}`)) return [];
  const [part = '', ...below] = pointerSegments(edit.path);
  const value = edit.op === 'add' ? [edit.value] : edit.value;
  const alone = below.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value);
  // Safe: the contract lets no other parts be edited.
  const problems = problemsOf(SiteInput.shape[part as EditedPart], alone);
  const place = edit.op === 'add' ? [...below, 0] : below;
  return problems.flatMap(({ pointer, detail }) => {
    const at = pointerSegments(pointer);
    // What is amiss above the place may be in order together with what a site has there.
    return at.length < below.length ? [] : [{ pointer: `/value${jsonPointer(at.slice(place.length))}`, detail }];
  });
}
