import type { SiteState } from '#contract/site-check.ts';
import { checkSite } from '../check-site.ts';
import type { SetupPorts } from '../ports.ts';
import { readSituation } from '../read-situation.ts';
import { stateOfSituation } from '../site-state.ts';
import type { Known, Situation, Target } from '../situation.ts';
import type { ChecksPort } from './checks-port.ts';
import { foundAtSite } from './found-at-site.ts';

/**
 * Checks the site of a page, and keeps with the service what was found, for everybody and for later. In: the page at its root,
 * and the site that the service has there. Out: the state, as the page's properties say it. Where the page's settings name
 * another site, the service's own is looked at as well, for it is that one's findings that are kept. That a service keeps
 * nothing takes nothing from what was found.
 */
export async function checkAndKeep(
  ports: SetupPorts,
  checks: ChecksPort,
  page: string,
  site: Target | undefined,
): Promise<Known<SiteState>> {
  const read = await readSituation(ports, page);
  if (read.state !== 'known') return read;
  const findings = checkSite(read.value);
  if (site !== undefined) {
    const own = isOf(read.value, site) ? read : await readSituation(ports, page, undefined, site);
    const found = own.state === 'known' ? foundAtSite(own.value) : undefined;
    if (found !== undefined) await checks.keep(site.organization, site.siteName, found);
  }
  return { state: 'known', value: stateOfSituation(read.value, findings) };
}

function isOf({ target }: Situation, { organization, siteName }: Target): boolean {
  return target?.organization === organization && target.siteName === siteName;
}
