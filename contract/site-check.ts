import { z } from 'zod';
import { ORG_ERRORS, OrgParams, SITE_READ_ERRORS, SiteParams } from './endpoint-parts.ts';
import { answer, endpoint, integer, json, NO_QUERY } from './endpoint.ts';
import { SiteName } from './names.ts';

/** The checks of a site, by identifier, in the order in which they are shown. */
export const CHECK_IDS = [
  'signed-in',
  'organization-claimed',
  'site-registered',
  'caller-administers',
  'technical-account-listed',
  'technical-account-environment',
  'wildcard-administrators',
  'groups-exist',
  'content-address-site',
  'mapping-site-root',
  'mapping-configuration',
  'configuration-page',
  'config-preview',
  'config-live',
  'config-shadowed',
  'editor-files',
  'project-type',
  'organization-and-site-name',
  'cloud-configuration-own',
  'content-root-single',
  'code-sync-fresh',
  'secret-present',
  'host-label',
  'delivery-answers',
  'obsolete-files',
] as const;
export type CheckId = (typeof CHECK_IDS)[number];

/**
 * Who can evaluate a check. `caller`: it is about the person who checks, and only they see it. `authoring`: only callers who can read the
 * authoring system. `compared`: the service can find a failure, but only the authoring system's settings prove that it passes. `outside`:
 * depends on what is between the service and a visitor. `service`: only the service.
 */
type Evaluator = 'caller' | 'authoring' | 'compared' | 'outside' | 'service';
export const EVALUATED_BY: Readonly<Record<CheckId, Evaluator>> = {
  'signed-in': 'caller',
  'organization-claimed': 'service',
  'site-registered': 'service',
  'caller-administers': 'caller',
  'technical-account-listed': 'compared',
  'technical-account-environment': 'compared',
  'wildcard-administrators': 'service',
  'groups-exist': 'service',
  'content-address-site': 'compared',
  'mapping-site-root': 'compared',
  'mapping-configuration': 'compared',
  'configuration-page': 'authoring',
  'config-preview': 'outside',
  'config-live': 'outside',
  'config-shadowed': 'service',
  'editor-files': 'service',
  'project-type': 'authoring',
  'organization-and-site-name': 'authoring',
  'cloud-configuration-own': 'authoring',
  'content-root-single': 'compared',
  'code-sync-fresh': 'service',
  'secret-present': 'service',
  'host-label': 'service',
  'delivery-answers': 'authoring',
  'obsolete-files': 'service',
};

const VERDICTS = ['fine', 'note', 'warning', 'wrong', 'unknown'] as const;
export type Verdict = (typeof VERDICTS)[number];

/** The state of a site, the most urgent first. Every screen and the command line use the same word for it (docs/contract.md 3.16). */
export const SITE_STATES = ['faulty', 'differs', 'not-set-up', 'changed', 'syncing', 'in-order'] as const;
export type SiteState = (typeof SITE_STATES)[number];

export const DRIFT_FIELDS = ['organization', 'siteName', 'configurationPage', 'technicalAccount', 'siteRoot', 'deliveryAddress'] as const;

/** A difference between the authoring system's settings and the service's configuration. */
export interface Drift {
  readonly field: (typeof DRIFT_FIELDS)[number];
  readonly authoring: string;
  readonly service: string;
}

const time = z.iso.datetime();
const text = z.string().max(2000);
const name = z.string().max(60);

/** A finding as it is stored: `data` fills in the messages of the check for the reader. */
export const StoredFinding = z.strictObject({
  check: z.enum(CHECK_IDS, { error: 'This is not the identifier of a check.' }),
  verdict: z.enum(VERDICTS),
  variant: name.optional(),
  data: z.record(name, text),
  evidence: z.strictObject({ request: text, answer: text }).optional(),
});
export type StoredFinding = z.infer<typeof StoredFinding>;

/** Findings whose shared data is stored only once: most of it is shared, and the findings of hundreds of sites are stored. */
export interface PackedFindings {
  readonly common: StoredFinding['data'];
  readonly own: StoredFinding[];
}

const StoredDrift = z.strictObject({ field: z.enum(DRIFT_FIELDS), authoring: text, service: text });

/**
 * The findings of a caller that can read the authoring system: the panel or the command line. `version` is that of the site they were
 * compared with (0: there was none), so that outdated findings are recognized.
 */
export const SiteCheckInput = z.strictObject({
  version: z.number().int().min(0),
  /** The page has its own configuration, whose project type is repoless. */
  switched: z.boolean(),
  /**
   * The authoring environment and the account with which it publishes: with these, the service checks the organization's other sites of
   * that environment.
   */
  environment: z.strictObject({ author: text, technicalAccount: text }).optional(),
  drifts: z.array(StoredDrift).max(DRIFT_FIELDS.length),
  findings: z.array(StoredFinding).max(CHECK_IDS.length),
});
export type SiteCheckInput = z.infer<typeof SiteCheckInput>;

/** Who checked last, and when. */
const CheckResult = z.object({ at: time, by: z.string(), version: z.number().int().min(0) });

/** The results of a site's checks: those by the service itself, and the last one with the authoring system. */
export const SiteCheck = z.object({
  state: z.enum(SITE_STATES),
  /** The site was changed after the older of the two checks. */
  isOutdated: z.boolean(),
  service: CheckResult.optional(),
  authoring: CheckResult.extend({ switched: z.boolean(), drifts: z.array(StoredDrift) }).optional(),
  /** For each check, the latest finding by someone who could evaluate it. */
  findings: z.array(StoredFinding),
});
export type SiteCheck = z.infer<typeof SiteCheck>;

export const StoredProblem = StoredFinding.pick({ check: true, verdict: true, variant: true });

export type StoredProblem = z.infer<typeof StoredProblem>;

/** A site in the list of all sites: its problems, without the data of their sentences. */
export const CheckedSite = z.object({
  name: SiteName,
  state: z.enum(SITE_STATES),
  isOutdated: z.boolean(),
  checkedAt: time.optional(),
  authoring: z.object({ at: time, by: z.string() }).optional(),
  /** Findings with the verdict "wrong" or "warning". */
  problems: z.array(StoredProblem),
  /** Fields with a different value in the authoring system. */
  differs: z.array(z.enum(DRIFT_FIELDS)),
  /** Number of checks that could not be made. */
  unseen: z.number().int().min(0),
});
export type CheckedSite = z.infer<typeof CheckedSite>;

/** Changes of the organization on one day (UTC). */
const Day = z.object({
  day: z.iso.date(),
  changes: z.number().int().min(0),
  syncs: z.number().int().min(0),
  failedSyncs: z.number().int().min(0),
});

/** The service's check of all sites while it runs: its start and progress. */
const Running = z.object({ since: time, done: z.number().int().min(0), total: z.number().int().min(0) });

export const CheckStarted = z.object({
  running: Running,
  /** It was already running, and this call joined it. */
  joined: z.boolean().optional(),
});
export type CheckStarted = z.infer<typeof CheckStarted>;

/** The states of an organization's sites, as stored: no other system is queried. */
export const OrgChecks = z.object({
  /** Totals of all sites of the organization, whichever page of the list this is; the states add up to the number of sites. */
  counts: z.object({
    sites: z.number().int().min(0),
    states: z.partialRecord(z.enum(SITE_STATES), z.number().int()),
  }),
  running: Running.optional(),
  /** The last seven days, today last. */
  days: z.array(Day),
  sites: z.array(CheckedSite),
});
export type OrgChecks = z.infer<typeof OrgChecks>;

const ofOrg = { path: '/config/{org}/checks.json', params: OrgParams, tag: 'Checks' } as const;
const ofSite = { path: '/config/{org}/sites/{site}/checks.json', params: SiteParams, query: NO_QUERY, tag: 'Checks' } as const;

/** The states of sites, from the latest findings (docs/contract.md 3.16). */
export const checkEndpoints = {
  getOrgChecks: endpoint({
    method: 'GET',
    ...ofOrg,
    query: z.object({
      limit: integer(1, 1000).optional(),
      after: z.string().max(200).optional(),
    }),
    permission: 'org:read',
    answers: { 200: answer('the sites by name, at most a thousand; a `link` header with rel="next" if there are more', OrgChecks) },
    errors: ORG_ERRORS,
    summary: 'Read the state of the sites of an organization',
  }),
  startOrgCheck: endpoint({
    method: 'POST',
    ...ofOrg,
    outside: 'check',
    query: NO_QUERY,
    permission: 'org:configure',
    answers: { 202: answer('started, or joined if one is in progress', CheckStarted) },
    errors: [...ORG_ERRORS, 'STORAGE_FULL'],
    summary: 'Check all sites of an organization now',
  }),
  getSiteCheck: endpoint({
    method: 'GET',
    ...ofSite,
    permission: 'people:read',
    answers: { 200: answer('the latest findings', SiteCheck) },
    errors: SITE_READ_ERRORS,
    summary: 'Read the latest findings of a site',
  }),
  putSiteCheck: endpoint({
    method: 'PUT',
    ...ofSite,
    outside: 'check',
    body: json(SiteCheckInput),
    permission: 'config:write',
    answers: { 200: answer('stored: everything now known about the site', SiteCheck) },
    errors: [...SITE_READ_ERRORS, 'STORAGE_FULL'],
    summary: 'Store the findings of a person who could read the authoring system',
  }),
} as const;
