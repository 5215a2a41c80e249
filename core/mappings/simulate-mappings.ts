import { createPathMapper, type PublicPaths } from '@repoless/contract/content-paths.ts';

export const PAGE_EFFECTS = ['collides', 'vanishes', 'changed', 'appears', 'unchanged'] as const;
export type PageEffect = (typeof PAGE_EFFECTS)[number];

/** The effect of changed mappings on one page. */
export interface SimulatedPage {
  readonly path: string;
  /** Its public path; absent if it has none. */
  readonly before?: string;
  readonly after?: string;
  readonly effect: PageEffect;
  /** `collides`: another page with the same address, and whether that one is shown there. */
  readonly other?: { readonly path: string; readonly isShown: boolean };
}

/** A folder (`folders` of a site) whose page was found before the change and no longer is. */
export interface LostFolder {
  readonly folder: string;
  readonly page: string;
}

export interface Simulation {
  /** Every page once, in the given order. */
  readonly pages: readonly SimulatedPage[];
  readonly counts: Readonly<Record<PageEffect, number>>;
  readonly lostFolders: readonly LostFolder[];
}

/** A change of mappings. `before` is absent if there is no site yet. */
export interface MappingChange {
  readonly before?: PublicPaths | undefined;
  readonly after: PublicPaths;
  /** The pages mapped to folders, by folder. */
  readonly folders?: Readonly<Record<string, string>> | undefined;
}

/**
 * The effect of changed mappings on existing pages: what the hosts show at which address, before and after. Pages that shared their address
 * before and after are not a collision of this change.
 */
export function simulateMappings(pages: readonly AddressedPage[], change: MappingChange): Simulation {
  const before = publicAddresses(pages, change.before);
  const after = publicAddresses(pages, change.after);
  const simulated = pages.map(({ path }) => simulatedPage(path, before, after));
  const counts = { collides: 0, vanishes: 0, changed: 0, appears: 0, unchanged: 0 };
  for (const { effect } of simulated) counts[effect] += 1;
  const lostFolders = Object.entries(change.folders ?? {}).flatMap(([folder, page]) => {
    const address = page.startsWith('/') ? page : `/${page}`;
    const isLost = before.shownAt(address) !== undefined && after.shownAt(address) === undefined;
    return isLost ? [{ folder, page: address }] : [];
  });
  return { pages: simulated, counts, lostFolders };
}

/** Whether visitors lose something: a page is no longer visible, or two compete for an address. */
export function isHarmful({ counts, lostFolders }: Simulation): boolean {
  return counts.vanishes + counts.collides + lostFolders.length > 0;
}

function simulatedPage(path: string, before: PublicAddresses, after: PublicAddresses): SimulatedPage {
  const [old, next] = [before.of.get(path), after.of.get(path)];
  const common = { path, ...(old === undefined ? {} : { before: old }), ...(next === undefined ? {} : { after: next }) };
  if (next === undefined) return { ...common, effect: old === undefined ? 'unchanged' : 'vanishes' };
  const shared = old === undefined ? [] : before.sharing(old);
  const rival = after.sharing(next).find((one) => one !== path && !shared.includes(one));
  if (rival !== undefined) return { ...common, effect: 'collides', other: { path: rival, isShown: after.shownAt(next) === rival } };
  if (old === undefined) return { ...common, effect: 'appears' };
  return { ...common, effect: old === next ? 'unchanged' : 'changed' };
}

/** The parts of a page that decide its address. */
export interface AddressedPage {
  readonly path: string;
  readonly kind: 'page' | 'sheet';
}

/** Public addresses of pages, and the page shown at each. */
interface PublicAddresses {
  /** By content path; pages without an address are omitted. */
  readonly of: ReadonlyMap<string, string>;
  /** The pages that share an address, with the one that the hosts show first. */
  sharing(address: string): readonly string[];
  /** The page that the hosts show at any public path; undefined if there is none. */
  shownAt(address: string): string | undefined;
}

/**
 * The public address of each page, as the hosts resolve it: of the paths that the mappings give a page, the first that leads to it; if none
 * does, the first that leads to another page. Takes pages, and the paths of the site; undefined if there is no site.
 */
function publicAddresses(pages: readonly AddressedPage[], paths: PublicPaths | undefined): PublicAddresses {
  if (paths === undefined) return { of: new Map(), sharing: () => [], shownAt: () => undefined };
  const mapper = createPathMapper(paths);
  const existing = new Set(pages.map(({ path }) => path));
  const of = new Map<string, string>();
  const owners = new Map<string, string[]>();
  for (const { path, kind } of pages) {
    const addresses = mapper.publicPaths(path, kind).map((address) => ({ address, content: mapper.contentPaths(address) }));
    const own =
      addresses.find(({ content }) => content.includes(path)) ?? addresses.find(({ content }) => content.some((one) => existing.has(one)));
    if (own === undefined) continue;
    of.set(path, own.address);
    owners.set(own.address, [...(owners.get(own.address) ?? []), path]);
  }
  const shownAt = (address: string) => mapper.contentPaths(address).find((path) => existing.has(path));
  return {
    of,
    shownAt,
    sharing: (address) => {
      const shown = shownAt(address);
      const others = (owners.get(address) ?? []).filter((path) => path !== shown);
      return shown === undefined ? others : [shown, ...others];
    },
  };
}
