import { configAddress, siteAddress } from '@repoless/contract/addresses.ts';
import { DEFAULT_REF } from '@repoless/contract/names.ts';
import type { CheckId, KeptFinding, Verdict } from '@repoless/contract/site-check.ts';
import { failureData } from '../plan/plan.ts';
import type { Failure, Situation } from '../situation/situation.ts';
import { targetOfSituation } from '../situation/target.ts';

/** What the messages of any finding may need. */
export function commonData(situation: Situation): Record<string, string> {
  const { settings, info } = situation;
  const { organization, siteName } = targetOfSituation(situation);
  const hosts = { protocol: info.protocol, preview: info.previewDomain, live: info.liveDomain };
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

/** Makes a finding of a check, its own data over the common ones. */
export function findingOf(situation: Situation) {
  const common = commonData(situation);
  return (check: CheckId, verdict: Verdict, { variant, data, evidence }: Detail = {}): Finding => ({
    check,
    verdict,
    data: { ...common, ...data },
    ...(variant === undefined ? {} : { variant }),
    ...(evidence === undefined ? {} : { evidence }),
  });
}

/** What was asked of the service and how it refused. */
export function refusalDetail(request: string, failure: Failure): Detail {
  const data = failureData(failure);
  const answer = [data['status'], data['code'], data['detail'] ?? data['message'] ?? data['about'] ?? failure.kind]
    .filter((part) => part !== undefined)
    .join(' ');
  return { data, evidence: { request, answer } };
}

/** One finding. `data` fills the messages of core/messages (finding, consequence, fix) for the identifier and verdict. */
export interface Finding {
  readonly check: CheckId;
  readonly verdict: Verdict;
  /** Which sentence of the check applies where it has several, e.g. `trailing-slash`. */
  readonly variant?: string;
  readonly data: Readonly<Record<string, string>>;
  /** What was asked and what came back. */
  readonly evidence?: { readonly request: string; readonly answer: string };
}

/** A finding that was kept, as the sentences take it. */
export function storedFinding({ check, verdict, variant, data, evidence }: KeptFinding): Finding {
  return { check, verdict, data, ...(variant === undefined ? {} : { variant }), ...(evidence === undefined ? {} : { evidence }) };
}
