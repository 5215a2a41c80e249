import { checkEndpoints } from '#contract/check-endpoints.ts';
import type { Feature } from '#contract/service.ts';
import type { Client } from '#extension/api/client.ts';
import type { Finding } from '#extension/setup/findings.ts';
import { foundAtSite } from '#extension/setup/overview/found-at-site.ts';
import type { Situation } from '#extension/setup/situation.ts';
import { targetOfSituation } from '#extension/setup/target.ts';
import { commandLine as messages } from '#extension/messages/en/command-line.ts';
import { failureLine } from './explain.ts';

/** Has the service keep what was found at a site. Out: why it does not, where it does not; nothing where there is nothing to keep. */
export async function recordCheck(client: Client, situation: Situation, findings: readonly Finding[]): Promise<string | undefined> {
  const found = foundAtSite(situation, findings);
  if (found === undefined) return undefined;
  if (!situation.info.features.includes(CHECKS)) return messages.check.noChecks;
  const { organization: org, siteName: site } = targetOfSituation(situation);
  const answer = await client.call(checkEndpoints.putSiteCheck, { params: { org, site }, body: found });
  if (answer.ok) return undefined;
  return answer.failure.status === 404 ? messages.check.notFound : failureLine(answer.failure);
}

const CHECKS: Feature = 'checks';
