import type { Permission } from '@repoless/contract/access.ts';
import { ALL_SITES, type RolloutPreview, type Wave } from '@repoless/contract/rollout.ts';
import { ProfileInput, type SiteInput } from '@repoless/contract/site.ts';
import { siteConsequences } from '@repoless/core/access/consequences.ts';
import { differingParts, previewRollout, type SitePrediction } from '@repoless/core/rollouts/preview-rollout.ts';
import { peopleContext } from '../../access/roles.ts';
import type { Context } from '../../domain/context.ts';
import { difference } from '@repoless/contract/difference.ts';
import { createTimeSlices } from '../../domain/fair-share.ts';
import { readVersion } from '../../history/read-versions.ts';
import { completeProfile } from '../../profiles/profile-document.ts';
import { aggregateSite } from '@repoless/contract/aggregate-site.ts';
import { checkAggregate } from '../../sites/check-site.ts';
import { changeSite } from '../../sites/site-document.ts';
import type { RolloutSiteRecord, StoredRollout } from './ports.ts';
import { permissionOf, restoredSite, sitesInState } from './site-steps.ts';
import type { StoredSite } from '../../sites/ports.ts';

interface SiteChanges {
  readonly org: string;
  readonly sites: readonly string[];
  readonly waves: readonly Wave[];
  readonly permission: Permission;
  next(stored: StoredSite): SiteInput | Promise<SiteInput>;
}

/** What a change would do to each site, after all the checks of a write. */
export function previewSites(context: Context, { org, sites, waves, permission, next }: SiteChanges): Promise<RolloutPreview> {
  const versions = new Map<string, number>();
  return tried(sites, { waves, versions }, async (site) => {
    let before: object = {};
    const { prediction } = await changeSite(context, {
      name: { org, site },
      permission,
      action: 'preview',
      query: { dryRun: true },
      async next(_current, reads) {
        const stored = await reads.site(org, site);
        if (stored === undefined) return null;
        before = stored.config;
        versions.set(site, stored.version);
        return await next(stored);
      },
    });
    return {
      diff: prediction?.diff ?? [],
      parts: differingParts(before, Object(prediction?.body)),
      consequences: prediction?.consequences ?? [],
    };
  });
}

/** What an undo would do to the sites that have the change; those changed since are refused. */
export async function previewUndo(context: Context, { org, id, edits, profile }: StoredRollout): Promise<RolloutPreview> {
  const { store, settings } = context;
  const waves = [ALL_SITES];
  if (profile?.to !== undefined) {
    const config = await readVersion(store.reads, { kind: 'profile', org, profile: profile.name }, profile.from, ProfileInput);
    return previewProfile(context, { org, name: profile.name, config, sites: await store.reads.sitesOfProfile(org, profile.name), waves });
  }
  const rows = new Map<string, RolloutSiteRecord>();
  for (const state of ['changed', 'staged'] as const)
    for await (const row of sitesInState(store.rollouts, { org, id }, state)) rows.set(row.site, row);
  return previewSites(context, {
    org,
    sites: [...rows.keys()],
    waves,
    permission: permissionOf(edits ?? []),
    async next(stored) {
      const row = rows.get(stored.site);
      return row === undefined ? stored.config : await restoredSite(store.reads, stored, row, settings.codeHost);
    },
  });
}

/** What a profile would change on the sites that extend it. */
export async function previewProfile(
  context: Context,
  {
    name,
    config,
    sites,
    waves,
    org,
  }: { name: string; config: ProfileInput; sites: readonly StoredSite[]; waves: readonly Wave[]; org: string },
): Promise<RolloutPreview> {
  const people = peopleContext(context.caller, await context.store.reads.org(org));
  const now = context.now().toISOString();
  const profile = completeProfile(name, config, { created: now, now }, context.settings);
  const byName = new Map(sites.map((one) => [one.site, one]));
  const versions = new Map(sites.map(({ site, version }) => [site, version]));
  return tried([...byName.keys()], { waves, versions }, async (site) => {
    const stored = byName.get(site);
    if (stored === undefined) return NOTHING;
    const aggregate = aggregateSite(stored.config, profile);
    checkAggregate(stored, aggregate);
    const found = siteConsequences(stored.aggregate, aggregate, people);
    const diff = difference(stored.aggregate, aggregate);
    return { diff, parts: differingParts(stored.aggregate, aggregate), consequences: found.map((what) => ({ what })) };
  });
}

const NOTHING: SitePrediction = { diff: [], parts: { before: {}, after: {} }, consequences: [] };

interface Trying {
  readonly waves: readonly Wave[];
  readonly versions: ReadonlyMap<string, number>;
}

function tried(
  sites: readonly string[],
  { waves, versions }: Trying,
  tryOne: (site: string) => Promise<SitePrediction>,
): Promise<RolloutPreview> {
  return previewRollout(sites, waves, { predictSite: tryOne, versionOf: (site) => versions.get(site), pause: createTimeSlices() });
}
