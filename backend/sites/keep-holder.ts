import { GRANTS } from '@repoless/contract/permissions.ts';
import type { Caller } from '../domain/caller.ts';
import { Refusal } from '../domain/errors.ts';
import type { Reads, StoredOrg, StoredSite } from '../domain/ports.ts';
import { isOpen } from '../access/permit.ts';
import { rolesOf } from '../access/roles-of.ts';
import { siteIndexKeys } from './aggregate-site.ts';

/**
 * Refuses with SECRET_IN_USE the removal of a site that holds the secret of an external repository which other sites of the organization use:
 * it goes with its site. Those that the caller may read are named, the others counted. Rule: docs/contract.md 3.7.
 */
export async function keepHolder(reads: Reads, caller: Caller, org: StoredOrg | undefined, site: StoredSite): Promise<void> {
  const { holdsSecret, repository } = siteIndexKeys(site.aggregate);
  if (!holdsSecret || repository === undefined) return;
  const others = (await reads.sitesOfOrgOnRepository(site.org, repository)).filter((other) => other.site !== site.site);
  if (others.length === 0) return;
  const names = others.filter((other) => mayRead(caller, org, other)).map((other) => other.site);
  const shown = names.slice(0, SHOWN_SITES);
  const place = repository.slice(repository.indexOf(':') + 1);
  const sentence = `Site "${site.org}/${site.site}" holds the secret of the external repository ${place}, which is used by ${told(shown, others.length)}.`;
  throw new Refusal('SECRET_IN_USE', sentence, {
    detail: `${sentence} Remove these first, or set another code source for them.`,
    data: { sites: shown.join(', '), count: String(others.length) },
  });
}

const SHOWN_SITES = 10;

function mayRead(caller: Caller, org: StoredOrg | undefined, { aggregate }: StoredSite): boolean {
  if (isOpen(aggregate)) return true;
  const roles = org === undefined ? undefined : rolesOf(caller, org.config, aggregate);
  return GRANTS['config:read'].some((role) => roles?.has(role));
}

function told(shown: readonly string[], count: number): string {
  const rest = count - shown.length;
  const sites = rest === 1 ? '1 other site' : `${rest} other sites`;
  if (shown.length === 0) return sites;
  return rest === 0 ? shown.join(', ') : `${shown.join(', ')} and ${sites}`;
}
