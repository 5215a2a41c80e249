import type { ContentPage } from './content-page.ts';
import type { Level } from './tree.ts';

/** `ch`, `de`, `global`-like words are not codes; `ch-de`, `de_CH`, `fr-ca` name language and country in one. */
const CODE = /^[a-z]{2,3}$/i;
const BOTH = /^[a-z]{2,3}[-_][a-z]{2,4}$/i;

/**
 * The level of a page, from its name, its language and the level of its parent (undefined below `/content` and below folders there). The rules: a
 * page there is a root; below a root a code without its own language is a country, and a code with one (or a live copy), or language and country
 * in one name, is a locale; below a country every code is a locale. Language masters are no code, so they and their descendants are pages.
 */
export function levelOf(page: ContentPage, parent: Level | undefined): Level {
  if (parent === undefined) return page.kind === 'folder' ? 'page' : 'root';
  const name = page.path.slice(page.path.lastIndexOf('/') + 1);
  if (parent === 'root') {
    if (BOTH.test(name)) return 'locale';
    if (!CODE.test(name)) return 'page';
    return page.language !== undefined || page.liveCopyOf !== undefined ? 'locale' : 'country';
  }
  return parent === 'country' && (CODE.test(name) || BOTH.test(name)) ? 'locale' : 'page';
}
