import type { Org } from '@repoless/contract/org.ts';
import type { Profile } from '@repoless/contract/site.ts';
import { sameValue } from '@repoless/contract/same-value.ts';
import { Refusal } from '../domain/errors.ts';
import { createTurns } from '../domain/turn.ts';
import { checkContentRoot, checkFurtherRoots, contentRootTaken } from '../sites/content-roots/check-content-root.ts';
import type { AggregateWrite, Reads, StoredSite } from '../domain/ports.ts';
import { bytesOf, requireSmall } from '../domain/quotas.ts';
import { checkAccess } from '../access/check-groups.ts';
import { isSamePeople } from '../access/prevent-lockout.ts';
import { aggregateSite, siteIndexKeys } from '../sites/aggregate-site.ts';
import { checkAggregate, checkHolder } from '../sites/check-site.ts';
import type { ProfileName } from './find-profile.ts';

/**
 * What a profile makes of the sites that extend it: those that it changes, and about how many bytes they take more than before. Refuses, and
 * names the site, where a rule breaks on one of them by which a write of the site itself would be refused. In: the profile as it shall be,
 * undefined where it goes, and the groups of the organization.
 */
export async function affectedSites(
  reads: Reads,
  { org, profile: name }: ProfileName,
  { profile, groups }: { readonly profile: Profile | undefined; readonly groups: Org['groups'] },
): Promise<AffectedSites> {
  const sites: AggregateWrite[] = [];
  let bytes = 0;
  const roots = new Map<string, string>();
  const holders = holdersOnce(reads);
  const ofSite = profile === undefined ? withoutIt : withIt;
  const turn = createTurns();
  for (const stored of await reads.sitesOfProfile(org, name)) {
    // Each is laid over the profile, checked and compared: others have their turn between.
    await turn();
    const aggregate = aggregateSite(stored.config, profile);
    const site = stored.site;
    const keys = siteIndexKeys(aggregate);
    const isSame = sameValue(aggregate, stored.aggregate);
    // One that is not changed claims nothing, and may have lost its root to another of them.
    const root = isSame ? stored.contentRoot : keys.contentRoot;
    if (root !== undefined) {
      const other = roots.get(root);
      if (other !== undefined) throw ofSite(stored, contentRootTaken(root, { org, site: other }, org));
      roots.set(root, site);
    }
    if (isSame) continue;
    try {
      checkAggregate(stored, aggregate);
      if (!isSamePeople(stored.aggregate, aggregate)) checkAccess(aggregate, { groups });
      bytes += requireSmall(aggregate, `The site "${org}/${site}"`) - bytesBefore(stored);
      await checkContentRoot(reads, stored, keys.contentRoot, stored.contentRoot);
      await checkFurtherRoots(reads, stored, aggregate, stored.aggregate);
      await checkHolder(holders, stored, { config: stored.config, aggregate }, stored);
    } catch (error) {
      throw error instanceof Refusal ? ofSite(stored, error) : error;
    }
    sites.push({ org, site, aggregate, alone: profile === undefined, ...keys });
  }
  return { sites, bytes };
}

export interface AffectedSites {
  readonly sites: readonly AggregateWrite[];
  readonly bytes: number;
}

/** Nothing is stored beside the configuration of a site that extends no profile. */
function bytesBefore({ aggregate }: StoredSite): number {
  return aggregate.extends === undefined ? 0 : bytesOf(aggregate);
}

/** Who holds the secret of a repository, asked once: the sites of a profile are mostly on the same. */
function holdersOnce(reads: Reads): Pick<Reads, 'secretHolder'> {
  const found = new Map<string, ReturnType<Reads['secretHolder']>>();
  return {
    secretHolder(org, repository) {
      const known = found.get(repository) ?? reads.secretHolder(org, repository);
      found.set(repository, known);
      return known;
    },
  };
}

const withIt = (stored: StoredSite, refusal: Refusal) => brokenRule('With', stored, refusal);
const withoutIt = (stored: StoredSite, refusal: Refusal) => brokenRule('Without', stored, refusal);

function brokenRule(when: 'With' | 'Without', { org, site }: StoredSite, refusal: Refusal): Refusal {
  const said = (sentence: string) => `${when} this profile site "${org}/${site}" would break a rule. ${sentence}`;
  return new Refusal(refusal.code, said(refusal.message), {
    data: { ...refusal.data, extending: `${org}/${site}` },
    ...(refusal.detail === undefined ? {} : { detail: said(refusal.detail) }),
    ...(refusal.errors === undefined ? {} : { errors: refusal.errors }),
  });
}
