import { z } from 'zod';
import { SiteName } from './names.ts';
import { CHECK_IDS, DRIFT_FIELDS, SITE_STATES, VERDICTS } from './site-check.ts';

const time = z.iso.datetime();
const text = z.string().max(2000);
const name = z.string().max(60);

/** A finding as it is stored: `data` fills in the messages of the check for the reader. */
export const KeptFinding = z.strictObject({
  check: z.enum(CHECK_IDS),
  verdict: z.enum(VERDICTS),
  variant: name.optional(),
  data: z.record(name, text),
  evidence: z.strictObject({ request: text, answer: text }).optional(),
});
export type KeptFinding = z.infer<typeof KeptFinding>;

const KeptDrift = z.strictObject({ field: z.enum(DRIFT_FIELDS), authoring: text, service: text });

/**
 * The findings of somebody who can read the authoring system: the panel, or the command line. `version` is that of the site they were compared
 * with (0: there was none), so that outdated findings are recognized.
 */
export const SiteCheckInput = z.strictObject({
  version: z.number().int().min(0),
  /** The page has a configuration of its own whose project type is repoless. */
  switched: z.boolean(),
  drifts: z.array(KeptDrift).max(DRIFT_FIELDS.length),
  findings: z.array(KeptFinding).max(CHECK_IDS.length),
});
export type SiteCheckInput = z.infer<typeof SiteCheckInput>;

/** Who looked last, and when. */
const Look = z.object({ at: time, by: z.string(), version: z.number().int().min(0) });

/** What is known of a site from the checks: those that the service makes by itself, and the last one with the authoring system. */
export const SiteCheck = z.object({
  state: z.enum(SITE_STATES),
  /** The site was written after the older of the two looks. */
  isOutdated: z.boolean(),
  service: Look.optional(),
  authoring: Look.extend({ switched: z.boolean(), drifts: z.array(KeptDrift) }).optional(),
  /** For each check the newest finding of somebody who could look at it. */
  findings: z.array(KeptFinding),
});
export type SiteCheck = z.infer<typeof SiteCheck>;

export const KeptProblem = KeptFinding.pick({ check: true, verdict: true, variant: true });

export type KeptProblem = z.infer<typeof KeptProblem>;

/** A site in the list of all: what is wrong, without the data of its sentences. */
export const CheckedSite = z.object({
  name: SiteName,
  state: z.enum(SITE_STATES),
  isOutdated: z.boolean(),
  checkedAt: time.optional(),
  authoring: z.object({ at: time, by: z.string() }).optional(),
  /** Findings that are wrong or a warning. */
  problems: z.array(KeptProblem),
  /** Fields in which the authoring system says something else. */
  differs: z.array(z.enum(DRIFT_FIELDS)),
  /** Checks that could not be made. */
  unseen: z.number().int().min(0),
  isSyncing: z.boolean(),
});
export type CheckedSite = z.infer<typeof CheckedSite>;

/** A day of the organization, in UTC. */
const Day = z.object({
  day: z.iso.date(),
  changes: z.number().int().min(0),
  syncs: z.number().int().min(0),
  failedSyncs: z.number().int().min(0),
});

/** The service's own check of all sites, while it runs: since when, and its progress. */
const Running = z.object({ since: time, done: z.number().int().min(0), total: z.number().int().min(0) });

export const CheckStarted = z.object({
  running: Running,
  /** It was already running, and this call joined it. */
  joined: z.boolean().optional(),
});
export type CheckStarted = z.infer<typeof CheckStarted>;

/** The states of an organization's sites, as stored: no other system is queried. */
export const OrgChecks = z.object({
  /** Of all sites of the organization, whatever page of the list this is. */
  counts: z.object({
    sites: z.number().int().min(0),
    syncing: z.number().int().min(0),
    states: z.partialRecord(z.enum(SITE_STATES), z.number().int()),
  }),
  running: Running.optional(),
  /** The last seven days, today last. */
  days: z.array(Day),
  sites: z.array(CheckedSite),
});
export type OrgChecks = z.infer<typeof OrgChecks>;
