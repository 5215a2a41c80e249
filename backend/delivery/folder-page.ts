import { pageName } from '@repoless/contract/content-paths.ts';
import { oncePerDocument } from '../domain/canonical.ts';

/**
 * The page that stands for missing pages of a folder. `/products` means the folder and everything below, `/products/` only what is below; the most
 * specific folder wins. A spreadsheet may stand for exactly one named path. Undefined if the path is in no folder or is not a page. Takes a public
 * path.
 */
export function folderPage(path: string, folders: Readonly<Record<string, string>> | undefined): string | undefined {
  if (folders === undefined) return undefined;
  const page = pageName(path);
  if (page === undefined) return undefined;
  const pages = pagesOf(folders);
  const given = page.endsWith('.json') ? pages.get(page) : /\.[^/]*$/.test(page) ? undefined : pageOf(page, pages);
  const target = given === undefined || given.startsWith('/') ? given : `/${given}`;
  if (target === undefined || target === page) return undefined;
  return path.endsWith('.plain.html') && !/\.[^/]*$/.test(target) ? `${target}.plain.html` : target;
}

const pagesOf = oncePerDocument((folders: Readonly<Record<string, string>>) => new Map(Object.entries(folders)));

/** From the page itself upwards, so that a path costs its own segments, however many folders there are. */
function pageOf(page: string, pages: ReadonlyMap<string, string>): string | undefined {
  const own = page.endsWith('/') ? undefined : pages.get(page);
  if (own !== undefined) return own;
  for (let slash = page.lastIndexOf('/'); slash >= 0; slash = slash === 0 ? -1 : page.lastIndexOf('/', slash - 1)) {
    const below = slash === page.length - 1 ? undefined : pages.get(page.slice(0, slash + 1));
    const found = below ?? pages.get(page.slice(0, slash));
    if (found !== undefined) return found;
  }
  return undefined;
}
