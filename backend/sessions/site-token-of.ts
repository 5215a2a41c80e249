import type { Tier } from '@repoless/contract/addresses.ts';
import type { SessionToken } from '@repoless/contract/session.ts';
import type { Reads } from '../domain/ports.ts';
import { hostReaders, mayReadHost } from '../access/host-readers.ts';
import type { SiteName } from '../sites/check-site.ts';
import type { Tokens } from './tokens.ts';

/**
 * The site token that somebody who signed in is handed with the session: for the hosts of a site that are guarded. In: the session token. Out: undefined
 * where no host of the site is guarded, where the person may read none of those that are, or where the session is over.
 */
export async function siteTokenOf(
  tokens: Pick<Tokens, 'verify' | 'issueForSite'>,
  reads: Pick<Reads, 'orgAndSite'>,
  { session, org: name, site: siteName }: SiteName & { readonly session: string },
): Promise<SessionToken | undefined> {
  const user = await tokens.verify(session);
  const { org, site } = await reads.orgAndSite(name, siteName);
  if (user === undefined || site === undefined) return undefined;
  const mayRead = TIERS.some((tier) => {
    const readers = hostReaders(site.aggregate, tier);
    return readers !== undefined && mayReadHost(user, readers, { name, groups: org?.config.groups }, site.aggregate);
  });
  return mayRead ? await tokens.issueForSite(session, { org: name, site: siteName }) : undefined;
}

const TIERS: readonly Tier[] = ['preview', 'live'];
