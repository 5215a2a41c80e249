import type { Consequence } from '@repoless/contract/consequence.ts';
import type { Patch } from '@repoless/contract/endpoint-parts.ts';
import { sameValue } from '@repoless/contract/json.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import { Refusal } from '@repoless/contract/refusal.ts';
import type { PreviewedSite, RolloutPreview, Wave } from '@repoless/contract/rollout.ts';
import { groupConsequences } from '../access/consequences.ts';
import { problemOf, waveOfSite } from './rollout-rules.ts';

export interface SitePrediction {
  readonly diff: Patch;
  readonly parts: NonNullable<PreviewedSite['parts']>;
  readonly consequences: readonly { readonly what: Consequence }[];
}

export function differingParts(before: object, after: object): SitePrediction['parts'] {
  const isChanged = (name: string) => !TIMES.has(name) && !sameValue(Reflect.get(before, name), Reflect.get(after, name));
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(isChanged);
  const of = (document: object): SitePrediction['parts']['before'] =>
    Object.fromEntries(names.flatMap((name) => (Object.hasOwn(document, name) ? [[name, Reflect.get(document, name)]] : [])));
  return { before: of(before), after: of(after) };
}

const TIMES: ReadonlySet<string> = new Set(['created', 'lastModified']);

/**
 * `predictSite` previews one site and throws to refuse; `versionOf` returns the version that was read; `pause` is awaited after each site, so
 * that other work can run.
 */
export async function previewRollout(
  names: readonly string[],
  waves: readonly Wave[],
  {
    predictSite: tryOne,
    versionOf,
    pause,
  }: { predictSite(site: string): Promise<SitePrediction>; versionOf?(site: string): number | undefined; pause?(): Promise<void> },
): Promise<RolloutPreview> {
  const consequences: { what: Consequence; sites: readonly string[] }[] = [];
  const kinds = new Map<string, { count: number; example: string; diff: Patch }>();
  const found: (PreviewedSite & { readonly shape?: string })[] = [];
  for (const [index, name] of names.entries()) {
    const common = { name, wave: waveOfSite(index, names.length, waves) };
    const see = async (): Promise<SitePrediction> => {
      const seen = await tryOne(name);
      consequences.push(...seen.consequences.map(({ what }) => ({ what, sites: [name] })));
      return seen;
    };
    const end = await predictSite(name, see, kinds);
    const version = versionOf?.(name);
    found.push({ ...common, ...(version === undefined ? {} : { version }), ...end });
    await pause?.();
  }
  const ordered = [...kinds].toSorted(([, one], [, other]) => other.count - one.count);
  const positions = new Map(ordered.map(([shape], index) => [shape, index]));
  return {
    total: names.length,
    kinds: ordered.map(([, kind]) => kind),
    sites: found.map(({ shape, ...site }) => ({ ...site, ...(shape === undefined ? {} : { kind: positions.get(shape) ?? 0 }) })),
    consequences: groupConsequences(consequences),
  };
}

async function predictSite(
  name: string,
  tryOne: () => Promise<SitePrediction>,
  kinds: Map<string, { count: number; example: string; diff: Patch }>,
): Promise<Omit<PreviewedSite, 'name' | 'wave'> & { shape?: string }> {
  try {
    const { diff, parts } = await tryOne();
    if (diff.length === 0) return { state: 'unchanged' };
    const shape = shapeOf(diff);
    const kind = kinds.get(shape) ?? { count: 0, example: name, diff };
    kinds.set(shape, { ...kind, count: kind.count + 1 });
    return { state: 'changed', shape, ...(JSON.stringify(parts).length <= LIMITS.previewedDiff ? { parts } : {}) };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { state: 'refused', ...problemOf(error) };
  }
}

/** The shape of a difference, without list positions and values, which is the same for many sites. */
function shapeOf(diff: Patch): string {
  return diff.map(({ op, path }) => `${op} ${path.replaceAll(/\/\d+(?=\/|$)/g, '/*')}`).join('\n');
}
