import type { PlantedResource } from '../authoring-system/content-store.ts';
import { BASE_ENVIRONMENT } from '../authoring-system/environments.ts';
import { pageResources } from './page-resources.ts';
import { text, title } from './texts/page-texts.ts';

export const GROWN_LANGUAGES = ['en', 'de', 'fr', 'es'] as const;
const ROOT = '/content/grown';

export interface GrownSize {
  readonly sites: number;
  readonly pagesPerSite: number;
  readonly environment?: string;
}

/**
 * A content tree of any size to try out scale: `/content/grown/<country>/<language>`, each locale a live copy with this many pages
 * (including its home page), ten of them below the home page and the others below those. Not random: the same numbers create the same tree.
 */
export function* growTree(size: GrownSize): Iterable<PlantedResource> {
  const environment = size.environment ?? BASE_ENVIRONMENT;
  const plant = function* (path: string, name: string, extra = {}): Iterable<PlantedResource> {
    const texts = { path: '', title: name, description: name, parts: [title(name), text(`This is ${name}.`)] };
    for (const resource of pageResources(path, texts, extra)) yield { environment, ...resource };
  };
  yield* plant(ROOT, 'Grown', { 'cq:conf': '/conf/wknd' });
  for (let site = 0; site < size.sites; site += 1) {
    const country = countryCode(Math.floor(site / GROWN_LANGUAGES.length));
    const language = GROWN_LANGUAGES[site % GROWN_LANGUAGES.length] ?? 'en';
    if (site % GROWN_LANGUAGES.length === 0) yield* plant(`${ROOT}/${country}`, `Country ${country}`);
    const home = `${ROOT}/${country}/${language}`;
    yield* plant(home, `${country} ${language}`, { 'jcr:language': language, 'jcr:mixinTypes': ['cq:LiveRelationship', 'cq:LiveSync'] });
    yield {
      environment,
      path: `${home}/jcr:content/cq:LiveSyncConfig`,
      properties: { 'jcr:primaryType': 'cq:LiveCopy', 'cq:master': `/content/wknd/language-masters/${language}`, 'cq:isDeep': true },
    };
    for (let page = 1; page < size.pagesPerSite; page += 1) {
      const folder = page <= 10 ? '' : `/page-${((Math.floor((page - 1) / 10) - 1) % 10) + 1}`;
      yield* plant(`${home}${folder}/page-${page}`, `Page ${page} of ${country} ${language}`);
    }
  }
}

/** `200x100` as 200 sites of 100 pages; undefined for an empty text. Throws a message if it is neither. */
export function parseGrownSize(text: string | undefined): GrownSize | undefined {
  if (text === undefined || text === '') return undefined;
  const [, sites, pages] = /^(\d{1,5})x(\d{1,4})$/.exec(text) ?? [];
  if (sites === undefined || pages === undefined) throw new Error(`SANDBOX_GROWN is "${text}": write sites x pages, for example 200x100.`);
  return { sites: Number(sites), pagesPerSite: Number(pages) };
}

/** aa, ab, … zz, aaa, … */
export function countryCode(index: number): string {
  let rest = index;
  let code = '';
  for (let letter = 0; letter < 2 || rest > 0; letter += 1) {
    code = String.fromCharCode(97 + (rest % 26)) + code;
    rest = Math.floor(rest / 26);
  }
  return code;
}
