import { isIP } from 'node:net';
import { parseSiteHost } from '@repoless/contract/addresses.ts';
import type { HostDomains } from '@repoless/contract/addresses.ts';

/**
 * Which Host headers are the service's own: that of its public address, and `localhost` or an address in digits, which
 * probes and programs beside it use. Every other host is a site's, or unknown.
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
