import type { KeptFinding, SiteCheckInput } from '@repoless/contract/checked-site.ts';
import { JUDGED_BY } from '@repoless/contract/site-check.ts';
import { checkSite } from '../checks/check-site.ts';
import { findDrift } from '../checks/find-drift.ts';
import type { Finding } from '../checks/findings.ts';
import { isSwitched } from '../checks/site-state.ts';
import type { Situation } from '../situation/situation.ts';

/** Characters of a value that is kept with a finding, and how many of them. */
const LONGEST = 2000;

/**
 * What the service stores of a situation. Takes the situation of a registered site. Undefined if the site is not registered, or could not be read.
 */
export function foundAtSite(situation: Situation, findings: readonly Finding[] = checkSite(situation)): SiteCheckInput | undefined {
  if (situation.site.state !== 'known') return undefined;
  const { settings, info } = situation;
  return {
    version: situation.site.value.version,
    switched: isSwitched(settings, info.repolessProjectType),
    drifts: findDrift(situation).map(({ field, authoring, service }) => ({ field, authoring: cut(authoring), service: cut(service) })),
    findings: findings.filter(({ check }) => JUDGED_BY[check] !== 'caller').map(kept),
  };
}

/** A finding that was kept, as the sentences take it. */
export function storedFinding({ check, verdict, variant, data, evidence }: KeptFinding): Finding {
  return { check, verdict, data, ...(variant === undefined ? {} : { variant }), ...(evidence === undefined ? {} : { evidence }) };
}

function kept({ check, verdict, variant, data, evidence }: Finding): KeptFinding {
  return {
    check,
    verdict,
    ...(variant === undefined ? {} : { variant }),
    data: Object.fromEntries(Object.entries(data).map(([name, value]) => [name, cut(value)])),
    ...(evidence === undefined ? {} : { evidence: { request: cut(evidence.request), answer: cut(evidence.answer) } }),
  };
}

function cut(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST - 1)}…`;
}
