import { siteAddress } from '@repoless/contract/addresses.ts';
import type { HostDomains } from '@repoless/contract/addresses.ts';
import { DEFAULT_REF } from '@repoless/contract/names.ts';
import type { Reads, StoredSite } from '../domain/ports.ts';
import { createTimeSlices } from '../domain/event-loop.ts';

/** A host whose certificate concerns an organization. */
export interface NamedHost {
  /** With its port, where that is not 443. */
  readonly host: string;
  /** What it is called and kept under: the hosts of all sites below one domain of the service have one certificate. */
  readonly name: string;
  /** The site that names it, where no other one does. */
  readonly site: string | undefined;
}

/**
 * The hosts that the sites of an organization name and that are reached by HTTPS, each once, in order: their author hosts and the hosts of their
 * CDNs. With them those of the service: its own address, and the preview and live hosts.
 */
export async function namedHosts(
  reads: Pick<Reads, 'listSites'>,
  org: string,
  { hosts, publicAddress }: { readonly hosts: HostDomains; readonly publicAddress: string },
): Promise<NamedHost[]> {
  const named = new Map<string, NamedHost>();
  const turn = createTimeSlices();
  let first: string | undefined;
  for (let after: string | undefined = ''; after !== undefined;) {
    const sites: StoredSite[] = await reads.listSites(org, { after, limit: AT_ONCE, bytes: READ_AT_ONCE });
    for (const { site, aggregate } of sites) {
      first ??= site;
      for (const host of hostsOf(aggregate)) named.set(host, { host, name: host, site: named.has(host) ? undefined : site });
      await turn();
    }
    after = sites.at(-1)?.site;
  }
  if (first !== undefined) for (const host of serviceHosts(org, first, { hosts, publicAddress })) named.set(host.host, host);
  return [...named.values()].toSorted((one, other) => (one.host < other.host ? -1 : 1));
}

function hostsOf({ content, cdn }: StoredSite['aggregate']): ReadonlySet<string> {
  const ofCdn = [cdn?.prod, cdn?.preview, cdn?.live, cdn?.review].flatMap((one) =>
    one?.host === undefined ? [] : [`https://${one.host}`],
  );
  return new Set([content?.source.url ?? '', content?.overlay?.url ?? '', ...ofCdn].flatMap(secureHost));
}

function serviceHosts(org: string, site: string, { hosts, publicAddress }: { hosts: HostDomains; publicAddress: string }): NamedHost[] {
  const own = secureHost(publicAddress).map((host) => ({ host, name: host, site: undefined }));
  const tiers = (['preview', 'live'] as const).flatMap((tier) =>
    secureHost(siteAddress(hosts, tier, { ref: DEFAULT_REF, site, org })).map((host) => ({
      host,
      name: `*.${hosts[tier]}`,
      site: undefined,
    })),
  );
  return [...own, ...tiers];
}

/** The host of an address, in one spelling; none where it is not reached by HTTPS. */
function secureHost(address: string): string[] {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.protocol !== 'https:') return [];
  return [`${url.hostname.replace(/\.$/, '')}${url.port === '' ? '' : `:${url.port}`}`];
}

/** Sites, and bytes of their documents. */
const AT_ONCE = 100;
const READ_AT_ONCE = 250_000;
