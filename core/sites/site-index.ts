import { parseDeliveryAddress } from '@repoless/contract/addresses.ts';
import { contentRoot } from '@repoless/contract/mappings.ts';
import type { SiteListEntry } from '@repoless/contract/site.ts';

/** The service's sites by their content roots on one author. */
export interface SiteIndex {
  /** The site whose content root is this very page. */
  at(path: string): SiteListEntry | undefined;
  /** The site of the nearest page above. */
  above(path: string): SiteListEntry | undefined;
  named(name: string): SiteListEntry | undefined;
}

/** In: the sites of an organization, scheme and host of the author. Sites that other authors deliver have no place in it. */
export function indexSites(sites: readonly SiteListEntry[], author: string): SiteIndex {
  const byRoot = new Map<string, SiteListEntry>();
  const byName = new Map(sites.map((site) => [site.name, site]));
  for (const site of sites) {
    const root = rootOnAuthor(site, author);
    if (root !== undefined) byRoot.set(root, site);
  }
  const at = (path: string) => byRoot.get(path);
  const above = (path: string): SiteListEntry | undefined => {
    const parent = path.slice(0, path.lastIndexOf('/'));
    return parent === '' ? undefined : (at(parent) ?? above(parent));
  };
  return { at, above, named: (name) => byName.get(name) };
}

/** The content root of a site; undefined where it has none, or another author delivers its content. */
export function rootOnAuthor(site: Pick<SiteListEntry, 'content' | 'public'>, author: string): string | undefined {
  if (authorOf(site) !== author) return undefined;
  return contentRoot(site.public?.paths?.mappings ?? []);
}

/** Scheme and host of the author that delivers a site's content. */
export function authorOf({ content }: Pick<SiteListEntry, 'content'>): string | undefined {
  return content === undefined ? undefined : parseDeliveryAddress(content.source.url)?.author;
}
