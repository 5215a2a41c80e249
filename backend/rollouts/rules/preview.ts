import type { Permission } from '@repoless/contract/access.ts';
import type { Consequence } from '@repoless/contract/consequence.ts';
import type { Patch } from '@repoless/contract/endpoint-parts.ts';
import { sameValue } from '@repoless/contract/json.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import { ALL_SITES, type PreviewedSite, type RolloutPreview, type Wave } from '@repoless/contract/rollout.ts';
import { ProfileInput, type SiteInput } from '@repoless/contract/site.ts';
import { groupConsequences, siteConsequences } from '@repoless/core/access/consequences.ts';
import { peopleContext } from '../../access/roles.ts';
import type { Context } from '../../domain/context.ts';
import { difference } from '@repoless/contract/difference.ts';
import { Refusal } from '@repoless/contract/refusal.ts';
import { createTimeSlices } from '../../domain/fair-share.ts';
import type { StoredSite } from '../../domain/ports.ts';
import { readVersion } from '../../history/read-versions.ts';
import { completeProfile } from '../../profiles/find-profile.ts';
import { aggregateSite } from '../../sites/aggregate-site.ts';
import { checkAggregate } from '../../sites/check-site.ts';
import { changeSite } from '../../sites/site-document.ts';
import type { RolloutSiteRecord, StoredRollout } from './ports.ts';
import { permissionOf, restoredSite } from './site-steps.ts';

interface SiteChanges {
  readonly org: string;
  readonly sites: readonly string[];
  readonly waves: readonly Wave[];
  readonly permission: Permission;
  /** The site as it shall be. Refuses by throwing. */
  next(stored: StoredSite): SiteInput | Promise<SiteInput>;
}

/** What a change would make of each site, decided by all that a write would be decided by. */
export function previewSites(context: Context, { org, sites, waves, permission, next }: SiteChanges): Promise<RolloutPreview> {
  return preview(sites, waves, async (site) => {
    let before: object = {};
    const { trial } = await changeSite(context, {
      name: { org, site },
      permission,
      action: 'preview',
      query: { dryRun: true },
      async next(_present, reads) {
        const stored = await reads.site(org, site);
        if (stored === undefined) return null;
        before = stored.config;
        return await next(stored);
      },
    });
    return { diff: trial?.diff ?? [], parts: changedParts(before, Object(trial?.body)), consequences: trial?.consequences ?? [] };
  });
}

/** What an undo would make of the sites that have the change; those that somebody changed since are refused. */
export async function previewUndo(context: Context, { org, id, edits, profile }: StoredRollout): Promise<RolloutPreview> {
  const { store, settings } = context;
  const waves = [ALL_SITES];
  if (profile?.to !== undefined) {
    const config = await readVersion(store.reads, { kind: 'profile', org, profile: profile.name }, profile.from, ProfileInput);
    return previewProfile(context, { org, name: profile.name, config, sites: await store.reads.sitesOfProfile(org, profile.name), waves });
  }
  const rows = new Map<string, RolloutSiteRecord>();
  for (const state of ['changed', 'staged'] as const) {
    let after: string | undefined = '';
    while (after !== undefined) {
      const page: RolloutSiteRecord[] = await store.rollouts.sites(org, id, { state, after, limit: AT_ONCE });
      page.forEach((row) => rows.set(row.site, row));
      after = page.length < AT_ONCE ? undefined : page.at(-1)?.site;
    }
  }
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

const AT_ONCE = 200;

/** What a profile would make of the sites that extend it. */
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
  return preview([...byName.keys()], waves, async (site) => {
    const stored = byName.get(site);
    if (stored === undefined) return NOTHING;
    const aggregate = aggregateSite(stored.config, profile);
    checkAggregate(stored, aggregate);
    const found = siteConsequences(stored.aggregate, aggregate, people);
    const diff = difference(stored.aggregate, aggregate);
    return { diff, parts: changedParts(stored.aggregate, aggregate), consequences: found.map((what) => ({ what })) };
  });
}

interface Look {
  readonly diff: Patch;
  readonly parts: NonNullable<PreviewedSite['parts']>;
  readonly consequences: readonly { readonly what: Consequence }[];
}

const NOTHING: Look = { diff: [], parts: { before: {}, after: {} }, consequences: [] };

function changedParts(before: object, after: object): Look['parts'] {
  const isChanged = (name: string) => !TIMES.has(name) && !sameValue(Reflect.get(before, name), Reflect.get(after, name));
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(isChanged);
  const of = (document: object): Tree =>
    Object.fromEntries(names.flatMap((name) => (Object.hasOwn(document, name) ? [[name, Reflect.get(document, name)]] : [])));
  return { before: of(before), after: of(after) };
}

type Tree = NonNullable<PreviewedSite['parts']>['before'];

const TIMES: ReadonlySet<string> = new Set(['created', 'lastModified']);

async function preview(names: readonly string[], waves: readonly Wave[], look: (site: string) => Promise<Look>): Promise<RolloutPreview> {
  const consequences: { what: Consequence; sites: readonly string[] }[] = [];
  const kinds = new Map<string, { count: number; example: string; diff: Patch }>();
  const found: (PreviewedSite & { readonly shape?: string })[] = [];
  const turn = createTimeSlices();
  for (const [index, name] of names.entries()) {
    const common = { name, wave: waveOf(index, names.length, waves) };
    const see = async (): Promise<Look> => {
      const seen = await look(name);
      consequences.push(...seen.consequences.map(({ what }) => ({ what, sites: [name] })));
      return seen;
    };
    found.push({ ...common, ...(await looked(name, see, kinds)) });
    await turn();
  }
  const ordered = [...kinds].toSorted(([, one], [, other]) => other.count - one.count);
  const places = new Map(ordered.map(([shape], index) => [shape, index]));
  return {
    total: names.length,
    kinds: ordered.map(([, kind]) => kind),
    sites: found.map(({ shape, ...site }) => ({ ...site, ...(shape === undefined ? {} : { kind: places.get(shape) ?? 0 }) })),
    consequences: groupConsequences(consequences),
  };
}

async function looked(
  name: string,
  look: () => Promise<Look>,
  kinds: Map<string, { count: number; example: string; diff: Patch }>,
): Promise<Pick<PreviewedSite, 'state' | 'parts' | 'code' | 'detail'> & { shape?: string }> {
  try {
    const { diff, parts } = await look();
    if (diff.length === 0) return { state: 'unchanged' };
    const shape = shapeOf(diff);
    const kind = kinds.get(shape) ?? { count: 0, example: name, diff };
    kinds.set(shape, { ...kind, count: kind.count + 1 });
    return { state: 'changed', shape, ...(JSON.stringify(parts).length <= LIMITS.previewedDiff ? { parts } : {}) };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { state: 'refused', code: error.code, detail: error.detail ?? error.message };
  }
}

/** Where a difference leads, without places in lists and values: those of many sites are alike in that. */
function shapeOf(diff: Patch): string {
  return diff.map(({ op, path }) => `${op} ${path.replaceAll(/\/\d+(?=\/|$)/g, '/*')}`).join('\n');
}

/** The wave, from 1, in which each of so many sites is changed, in their order. Each wave says how many have the change after it. */
export function waveOf(index: number, total: number, waves: readonly Wave[]): number {
  const wave = waves.findIndex((one) => index < sizeOf(one, total));
  return wave < 0 ? waves.length : wave + 1;
}

function sizeOf(wave: Wave, total: number): number {
  return typeof wave === 'number' ? wave : Math.ceil((Number(wave.slice(0, -1)) * total) / 100);
}
