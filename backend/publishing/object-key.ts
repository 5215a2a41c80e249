import type { Tier } from '#contract/addresses.ts';
import type { SiteName } from '#backend/domain/publishing/ports.ts';

export const TIERS = ['preview', 'live'] as const;

/** Where the copy of a host's `config.json` lies, whatever the domains of the hosts are (decision 0114). */
export function objectKey(tier: Tier, { org, site }: SiteName): string {
  return `${tier}/${org}/${site}/config.json`;
}

/** Undefined for what is no object of the copy. */
export function siteOfKey(key: string): SiteName | undefined {
  const [, org, site] = /^(?:preview|live)\/([a-z0-9-]+)\/([a-z0-9-]+)\/config\.json$/.exec(key) ?? [];
  return org === undefined || site === undefined ? undefined : { org, site };
}

/** What a CDN is told to forget a site by. */
export function surrogateKey({ org, site }: SiteName): string {
  return `${site}--${org}`;
}
