import { memberMatches } from '@repoless/contract/access.ts';
import { parseDeliveryAddress, printDeliveryAddress } from '@repoless/contract/addresses.ts';
import { createPathMapper } from '@repoless/contract/content-paths.ts';
import { contentRoot, contentRoots } from '@repoless/contract/mappings.ts';
import type { Drift } from '@repoless/contract/site-check.ts';
import type { Site } from '@repoless/contract/site.ts';
import { mappedPage } from '../plan/choices.ts';
import { desiredDelivery } from '../plan/desired-site.ts';
import type { Situation } from '../situation/situation.ts';
import { targetOfSituation } from '../situation/target.ts';

/**
 * The differences between the authoring system's settings and the service's configuration of a registered site. A
 * missing value is an empty string. Returns nothing for a site that is not registered.
 */
export function findDrift(situation: Situation): Drift[] {
  if (situation.site.state !== 'known') return [];
  const { settings } = situation;
  const site = situation.site.value.config;
  const target = targetOfSituation(situation);
  const rows: Drift[] = [
    { field: 'organization', authoring: settings.organization.value ?? '', service: target.organization },
    { field: 'siteName', authoring: settings.siteName.value ?? '', service: target.siteName },
    { field: 'siteRoot', authoring: settings.siteRoot, service: mappedRoot(site, settings.siteRoot) },
    { field: 'deliveryAddress', authoring: desiredDelivery(situation, target), service: deliveryOf(site) },
    { field: 'configurationPage', authoring: pageInAuthoring(situation), service: mappedPage(site) ?? '' },
  ];
  return [...rows.filter((row) => row.authoring !== row.service), ...technicalAccountDrift(situation, site)];
}

/** The content root, or what else is mapped to `/`; if the root is right but the pages below it are not mapped, the mapping itself. */
function mappedRoot(site: Site, expected: string): string {
  const mappings = site.public?.paths?.mappings ?? [];
  if (!showsRoot(site, expected)) return contentRoot(mappings) ?? '';
  return mappings.includes(`${expected}/:/`) ? expected : (mappings.find((text) => text === `${expected}:/`) ?? expected);
}

function deliveryOf(site: Site): string {
  const url = site.content?.source.url ?? '';
  const address = parseDeliveryAddress(url);
  return address === undefined ? url : printDeliveryAddress(address);
}

function pageInAuthoring({ configurationPage, settings }: Situation): string {
  if (configurationPage.state === 'known') return configurationPage.value.path;
  return configurationPage.state === 'missing' ? '' : (settings.configurationPage.value ?? '');
}

function technicalAccountDrift({ settings }: Situation, site: Site): Drift[] {
  const account = settings.technicalAccount.value;
  const listed = site.access?.admin?.role?.config_admin ?? [];
  if (account === undefined || listed.some((entry) => memberMatches(entry, [account.toLowerCase()]))) return [];
  return [{ field: 'technicalAccount', authoring: account, service: listed.join(', ') }];
}

/**
 * Whether the hosts of a site show a content root: at `/`, whatever else is mapped there, or at another address if nothing is mapped to
 * `/`.
 */
function showsRoot(site: Pick<Site, 'public'>, root: string): boolean {
  const roots = contentRoots(site.public?.paths?.mappings ?? []);
  return roots.includes(root) || (roots.length === 0 && rootAddress(site, root) !== undefined);
}

/** The public path at which the hosts show the page of a content root; undefined if they don't show it. */
export function rootAddress({ public: open }: Pick<Site, 'public'>, root: string): string | undefined {
  if (open?.paths?.mappings === undefined) return undefined;
  const mapper = createPathMapper(open.paths);
  return mapper.publicPaths(root, 'page').find((address) => mapper.contentPaths(address).includes(root));
}
