import { configAddress, siteAddress } from '@repoless/contract/addresses.ts';
import { DEFAULT_REF } from '@repoless/contract/names.ts';
import { hostDomains } from '@repoless/contract/service.ts';
import type { CheckId, StoredFinding, Verdict } from '@repoless/contract/site-check.ts';
import { failureData } from '../plan/plan.ts';
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
    ...(variant === undefined ? {} : { variant }),
    ...(evidence === undefined ? {} : { evidence }),
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

export function storedFinding({ check, verdict, variant, data, evidence }: StoredFinding): Finding {
  return { check, verdict, data, ...(variant === undefined ? {} : { variant }), ...(evidence === undefined ? {} : { evidence }) };
}
