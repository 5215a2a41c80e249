import { defined } from '@repoless/contract/json.ts';
import { configAddress, siteAddress } from '@repoless/contract/addresses.ts';
import { DEFAULT_REF } from '@repoless/contract/names.ts';
import { hostDomains } from '@repoless/contract/service.ts';
import type { CheckId, StoredFinding, Verdict } from '@repoless/contract/site-check.ts';
import { failureData, STEP_IDS, type StepId } from '../plan/plan.ts';
import type { Failure } from '../situation/call.ts';
import type { Situation } from '../situation/situation.ts';
import { targetOfSituation } from '../situation/target.ts';

export function commonData(situation: Situation): Record<string, string> {
  const { settings, info } = situation;
  const { organization, siteName } = targetOfSituation(situation);
  const hosts = hostDomains(info);
  const host = { ref: DEFAULT_REF, site: siteName, org: organization };
  return {
    page: settings.page,
    siteRoot: settings.siteRoot,
    author: settings.author,
    organization,
    org: organization,
    site: siteName,
    siteName,
    preview: siteAddress(hosts, 'preview', host),
    live: siteAddress(hosts, 'live', host),
    previewConfig: configAddress(hosts, 'preview', organization, siteName),
    liveConfig: configAddress(hosts, 'live', organization, siteName),
    technicalAccount: settings.technicalAccount.value ?? '',
    cloudConfiguration: settings.cloudConfiguration.value ?? '',
    projectType: settings.projectType.value ?? '',
    wantedProjectType: info.repolessProjectType,
    codeHost: info.codeHost,
  };
}

export interface Detail {
  readonly variant?: string;
  readonly data?: Readonly<Record<string, string>>;
  readonly evidence?: Finding['evidence'];
}

/** Creates a finding of a check, with its own data over the common data. */
export function findingOf(situation: Situation) {
  const common = commonData(situation);
  return (check: CheckId, verdict: Verdict, { variant, data, evidence }: Detail = {}): Finding => ({
    check,
    verdict,
    data: { ...common, ...data },
    ...defined({ variant, evidence }),
  });
}

export function refusalDetail(request: string, failure: Failure): Detail {
  const data = failureData(failure);
  const answer = [data['status'], data['code'], data['detail'] ?? data['message'] ?? data['about'] ?? failure.kind]
    .filter((part) => part !== undefined)
    .join(' ');
  return { data, evidence: { request, answer } };
}

/** One finding. `data` fills in the messages in core/messages (finding, consequence, fix) for the identifier and verdict. */
export interface Finding {
  readonly check: CheckId;
  readonly verdict: Verdict;
  /** Which of the check's sentences applies, if it has several, e.g. `trailing-slash`. */
  readonly variant?: string;
  readonly data: Readonly<Record<string, string>>;
  readonly evidence?: { readonly request: string; readonly answer: string };
}

/** Findings by check. `Required<Findings>` has one for every check: a check without a rule does not compile. */
export type Findings = Readonly<Partial<Record<CheckId, Finding>>>;

export function fromStoredFinding({ check, verdict, variant, data, evidence }: StoredFinding): Finding {
  return { check, verdict, data, ...(variant === undefined ? {} : { variant }), ...(evidence === undefined ? {} : { evidence }) };
}

/** Where to fix a finding: a step of the site's setup, or a place of the site or its organization. */
export type FixLinks = { readonly step: StepId } | { readonly place: Place };
const PLACES = ['access', 'configuration', 'repositories'] as const;
type Place = (typeof PLACES)[number];

/** Undefined if it cannot be fixed here: its message says who can. */
export function fixOf({ check, verdict, variant }: Pick<Finding, 'check' | 'verdict' | 'variant'>): FixLinks | undefined {
  if (verdict === 'fine' || verdict === 'unknown') return undefined;
  const exact = `${check}/${variant ?? ''}` as const;
  const by = exact in FIXED_BY ? FIXED_BY[exact] : FIXED_BY[check];
  const step = STEP_IDS.find((id) => id === by);
  if (step !== undefined) return { step };
  const place = PLACES.find((name) => name === by);
  return place === undefined ? undefined : { place };
}

/** By check, or by check and variant. */
const FIXED_BY: Readonly<Partial<Record<CheckId | `${CheckId}/${string}`, StepId | Place | undefined>>> = {
  'site-registered': 'register-site',
  'technical-account-listed': 'set-access',
  'technical-account-environment': 'set-access',
  'wildcard-administrators': 'access',
  'groups-exist': 'access',
  'content-address-site': 'register-site',
  // People decide on moving to another environment.
  'content-address-site/other-author': undefined,
  'mapping-site-root': 'map-paths',
  'mapping-site-root/start-not-included': 'configuration',
  'mapping-site-root/elsewhere': 'configuration',
  'mapping-configuration': 'map-paths',
  'configuration-page': 'configuration-page',
  'configuration-page/type': undefined,
  'config-preview/missing': 'register-site',
  'config-live/missing': 'register-site',
  'editor-files/not-synced': 'repositories',
  'editor-files/unseen': 'repositories',
  'project-type': 'project-type',
  'project-type/too-early': 'register-site',
  'organization-and-site-name': 'cloud-configuration',
  'cloud-configuration-own/missing': 'create-configuration',
  'code-sync-fresh': 'repositories',
  'code-sync-fresh/running': undefined,
  'secret-present': 'repositories',
  'secret-present/superfluous': undefined,
};
