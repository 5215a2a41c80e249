import { createPathMapper } from '@repoless/contract/content-paths.ts';
import { contentRoots } from '@repoless/contract/mappings.ts';
import type { Site } from '@repoless/contract/site.ts';

/** Whether the hosts of a site show a content root: at `/`, whatever else is mapped there, or at another address where nothing is. */
export function showsRoot(site: Pick<Site, 'public'>, root: string): boolean {
  const roots = contentRoots(site.public?.paths?.mappings ?? []);
  return roots.includes(root) || (roots.length === 0 && rootAddress(site, root) !== undefined);
}

/** The public path of the page of a content root, as the hosts find it; undefined where they do not show it. */
export function rootAddress({ public: open }: Pick<Site, 'public'>, root: string): string | undefined {
  if (open?.paths?.mappings === undefined) return undefined;
  const mapper = createPathMapper(open.paths);
  return mapper.publicPaths(root, 'page').find((address) => mapper.contentPaths(address).includes(root));
}
