/** The checks, by identifier, in the order in which they are shown. */
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

export type Verdict = 'fine' | 'note' | 'warning' | 'wrong' | 'unknown';

/** One finding. `data` fills the sentences of words/ (finding, consequence, fix) for the identifier and verdict. */
export interface Finding {
  readonly check: CheckId;
  readonly verdict: Verdict;
  /** Which sentence of the check applies where it has several, e.g. `trailing-slash`. */
  readonly variant?: string;
  readonly data: Readonly<Record<string, string>>;
  /** What was asked and what came back. */
  readonly evidence?: { readonly request: string; readonly answer: string };
}

/** A difference between the authoring system's settings and the service's configuration. */
export interface Drift {
  readonly field: 'organization' | 'siteName' | 'configurationPage' | 'technicalAccount' | 'siteRoot' | 'deliveryAddress';
  readonly authoring: string;
  readonly service: string;
}
