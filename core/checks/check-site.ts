import { authoringChecks } from './authoring-checks.ts';
import { codeChecks } from './code-checks.ts';
import { CHECK_IDS } from '@repoless/contract/site-check.ts';
import type { Finding } from './findings.ts';
import { hostChecks } from './host-checks.ts';
import { serviceChecks } from './service-checks.ts';
import type { Situation } from '../situation/situation.ts';

/** Every check of a site, each with one finding, in the order of CHECK_IDS. Pure: the situation holds all that was asked. */
export function checkSite(situation: Situation): Finding[] {
  const findings = [...serviceChecks(situation), ...authoringChecks(situation), ...hostChecks(situation), ...codeChecks(situation)];
  return CHECK_IDS.flatMap((id) => findings.filter((finding) => finding.check === id));
}
