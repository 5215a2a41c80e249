import type { ServiceInfo } from '@repoless/contract/service.ts';
import type { SiteListEntry } from '@repoless/contract/site.ts';
import { indexSites } from '../sites/organization-sites.ts';
import { hasNoOrganization, type Known } from '../situation/call.ts';
import type { SetupPorts } from '../situation/ports.ts';
import { targetOf } from '../situation/target.ts';
import { groupByRepository, type RepositoryGroup } from './repository-groups.ts';

/** The repositories of an organization, and the site of the current page. */
export interface SyncOverview {
  readonly info: ServiceInfo;
  readonly organization: string;
  /** The author of the page, whose address names the program. */
  readonly author: string;
  /** That of the author, if its settings name one. */
  readonly technicalAccount?: string;
  /** The site of the page, registered or not. */
  readonly site: string;
  readonly isRegistered: boolean;
  readonly groups: readonly RepositoryGroup[];
  /** The organization's other sites are missing, because the caller may not list them. */
  readonly isUnlisted?: true;
}

/**
 * Reads the sites of the organization and finds that of a page: the one with the nearest content root above it, otherwise
 * the one that its settings name. Takes the page's path, and the organization if it is not that of the page. Returns
 * `missing` if there is no such page.
 */
export async function readOverview(
  ports: Pick<SetupPorts, 'service' | 'authoring'>,
  page: string,
  organization?: string,
): Promise<Known<SyncOverview>> {
  const info = await ports.service.info();
  if (info.state !== 'known') return info;
  const settings = await ports.authoring.settings(page, info.value);
  if (settings.state !== 'known') return settings;
  const target = { ...targetOf(settings.value), ...(organization === undefined ? {} : { organization }) };
  const overview = (sites: readonly SiteListEntry[], site: string): SyncOverview => ({
    info: info.value,
    organization: target.organization,
    author: settings.value.author,
    ...(settings.value.technicalAccount.value === undefined ? {} : { technicalAccount: settings.value.technicalAccount.value }),
    site,
    isRegistered: sites.some(({ name }) => name === site),
    groups: groupByRepository(sites),
  });
  const all = await ports.service.allSites(target.organization);
  if (all.state === 'known') {
    const index = indexSites(all.value, settings.value.author);
    const site = index.at(page) ?? index.above(page);
    return { state: 'known', value: overview(all.value, site?.name ?? target.siteName) };
  }
  if (all.state === 'failed' && all.failure.problem?.code !== 'NOT_AUTHORIZED' && !hasNoOrganization(all)) return all;
  // Callers with a role only on this site may not list the others, and get the answer for a missing organization.
  const own = await ports.service.siteConfigurations(target.organization, target.siteName);
  if (own.state === 'failed') return own;
  if (own.state === 'missing' && hasNoOrganization(all))
    return all.state === 'failed' ? all : { state: 'known', value: overview([], target.siteName) };
  const sites = own.state === 'known' ? [{ ...own.value.config, name: target.siteName, path: '' }] : [];
  return { state: 'known', value: { ...overview(sites.map(entryOf), target.siteName), isUnlisted: true } };
}

function entryOf({ name, path, code }: Pick<SiteListEntry, 'name' | 'path' | 'code'>): SiteListEntry {
  return { name, path, ...(code === undefined ? {} : { code }) };
}
