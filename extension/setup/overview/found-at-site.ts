import type { KeptFinding, SiteCheckInput } from '#contract/checked-site.ts';
import { checkSite } from '../check-site.ts';
import { findDrift } from '../find-drift.ts';
import type { Finding } from '../findings.ts';
import { isSwitched } from '../site-state.ts';
import type { Situation } from '../situation.ts';

/** Characters of a value that is kept with a finding, and how many of them. */
const LONGEST = 2000;
/** Checks that speak of the person who looked, not of the site. */
const OF_THE_PERSON: ReadonlySet<string> = new Set(['signed-in', 'caller-administers']);

/**
 * What a situation says of a site, as the service keeps it for everybody. In: the situation of a registered site. Undefined
 * where the site is not registered, or could not be read: there is nothing to keep it with.
 */
export function foundAtSite(situation: Situation, findings: readonly Finding[] = checkSite(situation)): SiteCheckInput | undefined {
  if (situation.site.state !== 'known') return undefined;
  const { settings, info } = situation;
  return {
    version: situation.site.value.version,
    switched: isSwitched(settings, info.repolessProjectType),
    drifts: findDrift(situation).map(({ field, authoring, service }) => ({ field, authoring: cut(authoring), service: cut(service) })),
    findings: findings.filter(({ check }) => !OF_THE_PERSON.has(check)).map(kept),
  };
}

/** A finding that was kept, as the sentences take it. */
export function keptFinding({ check, verdict, variant, data, evidence }: KeptFinding): Finding {
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
