import { isIP } from 'node:net';
import { parseSiteHost } from '@repoless/contract/addresses.ts';
import type { HostDomains } from '@repoless/contract/addresses.ts';

/**
 * Which Host headers are the service's own: that of its public address, and `localhost` or an IP address, which probes and local programs
 * use. Every other host belongs to a site, or is unknown.
 */
export function serviceHosts(publicAddress: string, domains: Pick<HostDomains, 'preview' | 'live'>): (host: string) => boolean {
  const own = new URL(publicAddress).host;
  return (host) => {
    const lower = host.toLowerCase();
    if (lower === own) return true;
    if (parseSiteHost(lower, domains) !== undefined) return false;
    const name = lower.replace(/:\d+$/, '');
    return name === 'localhost' || isIP(name.replace(/^\[|\]$/g, '')) !== 0;
  };
}
