import type { KeptFinding } from '@repoless/contract/checked-site.ts';
import { JUDGED_BY } from '@repoless/contract/site-check.ts';
import type { StoredOrg, StoredSite } from '../domain/ports.ts';
import { checkSite } from '@repoless/core/checks/check-site.ts';
import type { Finding } from '@repoless/core/checks/findings.ts';
import { innerSituation } from './inner-situation.ts';
import type { SituationSources } from './inner-situation.ts';

/** What the service finds at a site on its own. What it cannot check is unknown. */
export async function checkStoredSite(sources: SituationSources, org: StoredOrg, site: StoredSite): Promise<KeptFinding[]> {
  return checkSite(await innerSituation(sources, org, site)).map(storedFinding);
}

function storedFinding({ check, verdict, variant, data, evidence }: Finding): KeptFinding {
  const kept = Object.fromEntries(Object.entries(data).map(([name, value]) => [name, short(value)]));
  // Nobody looks here, and the authoring system is not read.
  if (['caller', 'authoring'].includes(JUDGED_BY[check])) return { check, verdict: 'unknown', data: kept };
  return {
    check,
    verdict,
    ...(variant === undefined ? {} : { variant }),
    data: kept,
    ...(evidence === undefined ? {} : { evidence: { request: short(evidence.request), answer: short(evidence.answer) } }),
  };
}

/** As long as the contract lets a text be. */
function short(text: string): string {
  return text.slice(0, LONGEST);
}

const LONGEST = 2000;
