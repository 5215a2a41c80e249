import { checkSite } from './check-site.ts';
import { stateOfSituation } from './site-state.ts';
import type { SiteState } from '@repoless/contract/site-check.ts';
import type { Situation } from '../situation/situation.ts';

export interface Judgement {
  readonly state: SiteState;
  /** How many checks found something wrong. */
  readonly wrong: number;
}

/** The state of a site from all that was read of it. */
export function evaluateSituation(situation: Situation): Judgement {
  const findings = checkSite(situation);
  return { state: stateOfSituation(situation, findings), wrong: findings.filter(({ verdict }) => verdict === 'wrong').length };
}
