import { z } from 'zod';
import { ConsequenceOfSites } from './consequence.ts';
import { DryRun, dryRun, ORG_ERRORS, OrgParams, Patch, VersionName } from './endpoint-parts.ts';
import { answer, endpoint, FLAG, integer, json, NO_QUERY, WRITE_ERRORS, WRITE_QUERY } from './endpoint.ts';
import { FieldError, pointerSegments } from './errors.ts';
import { Json } from './json.ts';
import { LIMITS } from './limits.ts';
import { ProfileName, SiteName } from './names.ts';
import { PROFILE_WRITE_ERRORS } from './profile-endpoints.ts';
import { CHECK_IDS } from './site-check.ts';
import { ProfileInput, SiteInput } from './site.ts';

/** Parts that a rollout does not edit: the service sets them, or they hold credentials. */
const NOT_EDITED = ['version', 'name', 'created', 'lastModified', 'cdn', 'secrets', 'tokens', 'apiKeys'] as const;
export type EditedPart = Exclude<keyof SiteInput, (typeof NOT_EDITED)[number]>;
const PARTS: ReadonlySet<string> = new Set(Object.keys(SiteInput.shape).filter((part) => !NOT_EDITED.some((one) => one === part)));
const NO_NAMES: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

const path = z
  .string()
  .max(LIMITS.pathLength)
  .regex(/^(?:\/(?:[^~/]|~[01])+)+$/, 'Use a JSON pointer (RFC 6901) into the configuration of a site, e.g. /headers/~1**.')
  .refine((pointer) => PARTS.has(pointerSegments(pointer)[0] ?? ''), {
    error: `A rollout edits these parts of a site: ${[...PARTS].join(', ')}.`,
  })
  .refine((pointer) => !pointerSegments(pointer).some((segment) => NO_NAMES.has(segment)), { error: 'This is not a valid property name.' });

const by = z.string().min(1).max(LIMITS.foreignName).optional();

/** One change to a site's own configuration. It is idempotent: a value that already exists is not an error. */
export const Edit = z.discriminatedUnion('op', [
  /** Sets a value and creates missing parent objects. */
  z.strictObject({ op: z.literal('set'), path, value: Json }),
  /** Adds a value to a list that lacks it. `by`: replaces an item with the same value of that property. */
  z.strictObject({ op: z.literal('add'), path, value: Json, by }),
  /** Removes the value at the path or, with `value`, this item from a list. `by`: removes the items with the same value of that property. */
  z.strictObject({ op: z.literal('remove'), path, value: Json.optional(), by }),
]);
export type Edit = z.infer<typeof Edit>;

/** How many sites are changed when a wave is done: a number or a percentage. */
export const Wave = z.union(
  [
    z.number().int().min(1).max(LIMITS.rolloutSites),
    z.string().regex(/^(?:[1-9]\d?|100)%$/, 'Write a number of sites, or a share such as "10%".'),
  ],
  { error: 'Write a number of sites, or a share such as "10%".' },
);
export type Wave = z.infer<typeof Wave>;
export const ALL_SITES = '100%';

/** A change to many sites: edits of selected ones, or a profile change for all that extend it. */
export const RolloutInput = z
  .strictObject({
    title: VersionName.min(1),
    edits: z.array(Edit).min(1).max(LIMITS.rolloutEdits).optional(),
    /** The sites to edit, those of the first wave first; all of the organization if omitted. */
    sites: z.array(SiteName).min(1).max(LIMITS.rolloutSites).optional(),
    profile: ProfileName.optional(),
    config: ProfileInput.optional(),
    /** If omitted, all sites are changed in one wave. */
    waves: z.array(Wave).min(1).max(LIMITS.rolloutWaves).optional(),
    /** The versions of the sites shown in the preview: what it did not show is not written. */
    reviewed: z.record(SiteName, z.number().int().min(1)).optional(),
  })
  .refine(({ edits, profile }) => (edits === undefined) !== (profile === undefined), {
    error: 'A rollout has "edits", or a "profile" with its "config". Send one of them.',
    path: ['edits'],
  })
  .refine(({ profile, config }) => (profile === undefined) === (config === undefined), {
    error: '"profile" names the profile, and "config" is its new configuration. Send both, or neither.',
    path: ['config'],
  })
  .refine(({ profile, sites }) => profile === undefined || sites === undefined, {
    error: 'The sites of a profile are those that extend it. Omit "sites".',
    path: ['sites'],
  })
  .refine(({ waves }) => waves === undefined || waves.at(-1) === ALL_SITES, {
    error: 'The last wave must contain all sites. End the list with "100%".',
    path: ['waves'],
  });
export type RolloutInput = z.infer<typeof RolloutInput>;

export const ROLLOUT_STATES = ['running', 'stopped', 'done', 'undoing', 'undone'] as const;
export const RolloutState = z.enum(ROLLOUT_STATES);
export type RolloutState = z.infer<typeof RolloutState>;

/**
 * The result for a site. `staged`: has the new profile before the others. `refused`: a rule or a permission prevented it. `kept`: changed by
 * someone else since, so the undo left it alone.
 */
export const ROLLOUT_SITE_STATES = ['waiting', 'staged', 'changed', 'unchanged', 'refused', 'undone', 'kept'] as const;
export const RolloutSiteState = z.enum(ROLLOUT_SITE_STATES);
export type RolloutSiteState = z.infer<typeof RolloutSiteState>;

/**
 * Why it stopped: on request, sites were refused, checks failed that passed before, the profile was changed since, the profile may not be changed
 * in this way, or sites could not be restored (`detail` says why).
 */
export const STOP_REASONS = ['asked', 'refused', 'worse', 'profile-changed', 'blocked'] as const;
export const StopReason = z.enum(STOP_REASONS);
export type StopReason = z.infer<typeof StopReason>;

const time = z.iso.datetime();
const count = z.number().int().min(0);

/** Why a site was not changed, or why a rollout stopped, as in a problem document: `detail` in English, the rest for programs. */
export const RolloutProblem = z.object({
  code: z.string().optional(),
  detail: z.string(),
  errors: z.array(FieldError).optional(),
  data: z.record(z.string(), z.string()).optional(),
});
export type RolloutProblem = z.infer<typeof RolloutProblem>;
const problem = RolloutProblem.partial().shape;

const Parts = z.record(z.string(), Json);

export const PreviewedSite = z.object({
  name: SiteName,
  wave: z.number().int().min(1),
  state: z.enum(['changed', 'unchanged', 'refused']),
  version: z.number().int().min(1).optional(),
  /** Index into `kinds`, from 0. */
  kind: z.number().int().min(0).optional(),
  /** The parts that change for the site, including its profile, before and after; absent if they are long. */
  parts: z.object({ before: Parts, after: Parts }).optional(),
  ...problem,
});
export type PreviewedSite = z.infer<typeof PreviewedSite>;

/** What a rollout would do: differences at the same paths are one kind. */
export const RolloutPreview = z.object({
  total: count,
  sites: z.array(PreviewedSite),
  /** Most frequent first, each with the difference of its first site. */
  kinds: z.array(z.object({ count, example: SiteName, diff: Patch })),
  /** What it does to people and visitors, the gravest first. */
  consequences: z.array(ConsequenceOfSites),
});
export type RolloutPreview = z.infer<typeof RolloutPreview>;

export const Rollout = z.object({
  id: z.string(),
  title: z.string(),
  state: RolloutState,
  edits: z.array(Edit).optional(),
  profile: z.string().optional(),
  waves: z.array(Wave),
  /** The current wave, from 1; one more than the number of waves when all are done. */
  wave: z.number().int().min(1),
  /** The number of sites, and the number in each state (absent: none). */
  total: count,
  sites: z.partialRecord(RolloutSiteState, count),
  /** Number of sites on which checks fail that passed before. */
  worse: count,
  /** Number of sites that could not be restored (absent: none). */
  stuck: count.optional(),
  started: time,
  startedBy: z.string(),
  ended: time.optional(),
  stopped: z
    .object({
      reason: StopReason,
      /** Who stopped it; if it is blocked, who has to sign in for it to continue. */
      by: z.string().optional(),
      detail: z.string().optional(),
      /** What the sentence in `detail` consists of: the number of sites that could not be restored, a site (the first of those), and its problem. */
      count: count.optional(),
      site: SiteName.optional(),
      problem: RolloutProblem.optional(),
      /** It was being undone: resuming continues the undo. */
      undoing: z.literal(true).optional(),
    })
    .optional(),
  /** Only for a dry run: what it would do. */
  preview: RolloutPreview.optional(),
});
export type Rollout = z.infer<typeof Rollout>;

export const RolloutList = z.object({ rollouts: z.array(Rollout) });
export type RolloutList = z.infer<typeof RolloutList>;

export const RolloutSite = z.object({
  name: SiteName,
  wave: z.number().int().min(1),
  state: RolloutSiteState,
  /** The previous and the new version of the site. */
  from: z.number().int().optional(),
  to: z.number().int().optional(),
  ...problem,
  stuck: z.literal(true).optional(),
  /** Checks that passed before and no longer do. */
  worse: z.array(z.enum(CHECK_IDS)).optional(),
});
export type RolloutSite = z.infer<typeof RolloutSite>;
export const RolloutSiteList = z.object({ sites: z.array(RolloutSite) });
export type RolloutSiteList = z.infer<typeof RolloutSiteList>;

export const RolloutId = z.string().regex(/^[a-f0-9-]{1,64}$/, 'The identifier of a rollout holds hexadecimal digits and "-".');
const RolloutParams = OrgParams.extend({ rollout: RolloutId });
const ONE_ERRORS = [...ORG_ERRORS, 'ROLLOUT_NOT_FOUND'] as const;
const tag = 'Rollouts';
const order = { method: 'POST', params: RolloutParams, query: NO_QUERY, permission: 'org:configure', outside: 'rollouts', tag } as const;
const ORDER_ERRORS = [...ONE_ERRORS, 'ROLLOUT_REFUSED', 'STORAGE_FULL'] as const;

const read = { method: 'GET', permission: 'org:read', tag } as const;

/** Changes to many sites, one after the other, in waves (docs/contract.md 3.17). */
export const rolloutEndpoints = {
  listRollouts: endpoint({
    ...read,
    path: '/config/{org}/rollouts.json',
    params: OrgParams,
    query: NO_QUERY,
    answers: { 200: answer('the rollouts, newest first', RolloutList) },
    errors: ORG_ERRORS,
    summary: 'List changes of many sites of an organization',
  }),
  startRollout: endpoint({
    method: 'POST',
    path: '/config/{org}/rollouts.json',
    params: OrgParams,
    query: WRITE_QUERY,
    body: json(RolloutInput),
    permission: 'org:configure',
    answers: { 200: dryRun, 201: answer('started: the sites are changed one after the other', Rollout) },
    errors: [...PROFILE_WRITE_ERRORS, ...WRITE_ERRORS, 'PROFILE_NOT_FOUND', 'ROLLOUT_REFUSED'],
    tag,
    summary: 'Apply the same edits to many sites, or change a profile (`if-match`: of the profile) for the sites that extend it, in waves',
    preconditions: true,
  }),
  getRollout: endpoint({
    ...read,
    path: '/config/{org}/rollouts/{rollout}.json',
    params: RolloutParams,
    query: NO_QUERY,
    answers: { 200: answer('the rollout', Rollout) },
    errors: ONE_ERRORS,
    summary: 'Read the progress of a rollout',
  }),
  listRolloutSites: endpoint({
    method: 'GET',
    path: '/config/{org}/rollouts/{rollout}/sites.json',
    params: RolloutParams,
    query: z.object({
      state: RolloutSiteState.optional(),
      /** If true, only sites on which checks fail that passed before; if false, only the others. */
      worse: FLAG.optional(),
      /** If true, only sites that could not be restored; if false, only the others. */
      stuck: FLAG.optional(),
      limit: integer(1, 1000).optional(),
      after: SiteName.optional(),
    }),
    permission: 'org:read',
    answers: { 200: answer('its sites by name, at most a thousand; a `link` header with rel="next" if there are more', RolloutSiteList) },
    errors: ONE_ERRORS,
    tag,
    summary: 'Read the result for each site of a rollout',
  }),
  stopRollout: endpoint({
    ...order,
    path: '/config/{org}/rollouts/{rollout}/stop.json',
    answers: { 200: answer('stopped: no further site is changed', Rollout) },
    errors: ORDER_ERRORS,
    summary: 'Stop a rollout',
  }),
  resumeRollout: endpoint({
    ...order,
    path: '/config/{org}/rollouts/{rollout}/resume.json',
    answers: {
      200: answer('continues with the next site, also in a stopped undo; if all sites were tried, with those that were refused', Rollout),
    },
    errors: ORDER_ERRORS,
    summary: 'Resume a rollout that stopped',
  }),
  undoRollout: endpoint({
    ...order,
    query: z.object({ dryRun: FLAG.optional() }),
    path: '/config/{org}/rollouts/{rollout}/undo.json',
    answers: { 200: answer('its sites are restored, one after the other', z.union([Rollout, DryRun])) },
    errors: ORDER_ERRORS,
    summary: 'Undo a rollout on all its sites',
  }),
} as const;
