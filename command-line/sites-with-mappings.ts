import type { ServiceInfo } from '@repoless/contract/service.ts';
import type { SiteListEntry } from '@repoless/contract/site.ts';
import type { SetupPorts } from '@repoless/core/situation/ports.ts';
import { AT_ONCE, eachBounded, retry } from '@repoless/core/run/retry.ts';
import type { Known } from '@repoless/core/situation/call.ts';
import { authorOf } from '@repoless/core/sites/organization-sites.ts';

interface Reading {
  readonly ports: SetupPorts;
  readonly signal: AbortSignal;
  readonly organization: string;
  readonly info: Pick<ServiceInfo, 'hosted'>;
}

/**
 * The sites with their content roots. The hosted service's list does not have them, so sites that get their content from one of the authors
 * are read. If one cannot be read, dependencies are unknown.
 */
export async function withMappings(
  { ports, signal, organization, info }: Reading,
  sites: readonly SiteListEntry[],
  authors: readonly string[],
): Promise<Known<readonly SiteListEntry[]>> {
  if (info.hosted === undefined) return { state: 'known', value: sites };
  const isRelated = (site: SiteListEntry) => site.public === undefined && authors.includes(authorOf(site) ?? '');
  const read = await eachBounded(sites, AT_ONCE, async (site): Promise<Known<SiteListEntry>> => {
    if (!isRelated(site)) return { state: 'known', value: site };
    const held = await retry({ ports, signal }, () => ports.service.held(organization, site.name));
    if (held.state !== 'known') return held;
    const { public: mapped } = held.value.config;
    return { state: 'known', value: { ...site, ...(mapped === undefined ? {} : { public: mapped }) } };
  });
  const failed = read.find((one) => one.state === 'failed');
  // Sites removed meanwhile depend on nothing.
  return failed ?? { state: 'known', value: read.flatMap((one) => (one.state === 'known' ? [one.value] : [])) };
}
