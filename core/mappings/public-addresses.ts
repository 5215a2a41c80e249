import { createPathMapper } from '@repoless/contract/content-paths.ts';
import type { PublicPaths } from '@repoless/contract/content-paths.ts';

/** A page as far as its address depends on it. */
export interface AddressedPage {
  readonly path: string;
  readonly kind: 'page' | 'sheet';
}

/** Public addresses of pages, and who is shown at each. */
export interface PublicAddresses {
  /** By content path; pages without an address are left out. */
  readonly of: ReadonlyMap<string, string>;
  /** The pages that share an address, the one that the hosts show first. */
  sharing(address: string): readonly string[];
  /** The page that the hosts show at any public path; undefined where there is none. */
  shownAt(address: string): string | undefined;
}

/**
 * The public address of each page, as the hosts find pages: of the paths that the mappings give a page, the first that leads to it; where none
 * does, the first that leads to another page. In: pages, and the paths of the site; undefined where there is no site.
 */
export function publicAddresses(pages: readonly AddressedPage[], paths: PublicPaths | undefined): PublicAddresses {
  if (paths === undefined) return { of: new Map(), sharing: () => [], shownAt: () => undefined };
  const mapper = createPathMapper(paths);
  const there = new Set(pages.map(({ path }) => path));
  const of = new Map<string, string>();
  const owners = new Map<string, string[]>();
  for (const { path, kind } of pages) {
    const given = mapper.publicPaths(path, kind).map((address) => ({ address, leadsTo: mapper.contentPaths(address) }));
    const own = given.find(({ leadsTo }) => leadsTo.includes(path)) ?? given.find(({ leadsTo }) => leadsTo.some((one) => there.has(one)));
    if (own === undefined) continue;
    of.set(path, own.address);
    owners.set(own.address, [...(owners.get(own.address) ?? []), path]);
  }
  const shownAt = (address: string) => mapper.contentPaths(address).find((path) => there.has(path));
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
