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
 * Who can judge a check. `caller`: it is about the person who checks, and shown to nobody else. `authoring`: only callers who read the authoring
 * system. `compared`: the service can find a failure, but only the authoring system's settings prove that it passes. `outside`: depends on what is
 * between the service and a visitor. `service`: the service alone.
 */
type Judge = 'caller' | 'authoring' | 'compared' | 'outside' | 'service';
export const JUDGED_BY: Readonly<Record<CheckId, Judge>> = {
  'signed-in': 'caller',
  'organization-claimed': 'service',
  'site-registered': 'service',
  'caller-administers': 'caller',
  'technical-account-listed': 'authoring',
  'technical-account-environment': 'authoring',
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

export const VERDICTS = ['fine', 'note', 'warning', 'wrong', 'unknown'] as const;
export type Verdict = (typeof VERDICTS)[number];

/** The state of a site, the most urgent first. Every screen and the command line say it with the same word. */
export const SITE_STATES = ['faulty', 'differs', 'unfinished', 'not-set-up', 'unknown', 'registered', 'set-up'] as const;
export type SiteState = (typeof SITE_STATES)[number];

export const DRIFT_FIELDS = ['organization', 'siteName', 'configurationPage', 'technicalAccount', 'siteRoot', 'deliveryAddress'] as const;

/** A difference between the authoring system's settings and the service's configuration. */
export interface Drift {
  readonly field: (typeof DRIFT_FIELDS)[number];
  readonly authoring: string;
  readonly service: string;
}
