import type { SiteState } from '@repoless/contract/site-check.ts';
import { checkSite } from '../checks/check-site.ts';
import type { SetupPorts } from '../plan/ports.ts';
import { readSituation } from '../situation/read-situation.ts';
import { stateOfSituation } from '../checks/site-state.ts';
import type { Known, Target } from '../situation/situation.ts';
import type { ChecksPort } from './checks-port.ts';
import { foundAtSite } from './found-at-site.ts';

/**
 * Checks the site of a page and stores the findings with the service, for everybody. Takes the page at its root, and the site that the service has
 * there: that one is checked, even if the page's settings name another, or are those of the site above. Returns its state. Findings hold even if
 * the service cannot store them.
 */
export async function checkAndStore(
  ports: SetupPorts,
  checks: ChecksPort,
  page: string,
  site: Target | undefined,
): Promise<Known<SiteState>> {
  const read = await readSituation(ports, page, undefined, site);
  if (read.state !== 'known') return read;
  const findings = checkSite(read.value);
  const found = foundAtSite(read.value, findings);
  if (site !== undefined && found !== undefined) await checks.keep(site.organization, site.siteName, found);
  return { state: 'known', value: stateOfSituation(read.value, findings) };
}
