import { BASE_ENVIRONMENT, SECOND_ENVIRONMENT } from '../authoring-system/environments.ts';
import type { PlantedResource, Resource } from '../authoring-system/resource.ts';
import { parentOf } from '../authoring-system/resource.ts';
import { baseRoots } from './base-roots.ts';
import { fleetCountries, fleetRoots } from './fleet-roots.ts';
import { pageResources } from './page-resources.ts';
import { productionRoots } from './production-roots.ts';
import { rootResources } from './root-resources.ts';
import type { SiteRoot } from './site-root.ts';
import { english } from './texts/english.ts';
import { french } from './texts/french.ts';
import { german } from './texts/german.ts';
import { italian } from './texts/italian.ts';
import type { LanguageTexts } from './texts/page-texts.ts';
import { spanish } from './texts/spanish.ts';

const LANGUAGES: readonly LanguageTexts[] = [english, german, french, italian, spanish];
const COUNTRIES: Readonly<Record<string, string>> = {
  ch: 'Switzerland',
  de: 'Germany',
  fr: 'France',
  it: 'Italy',
  us: 'United States',
  at: 'Austria',
  gb: 'United Kingdom',
};

/** The content of both environments. In: the domain that configurations name as edge host, and how many sites there are besides the usual ones. */
export function* seedContent(edgeHost: string, fleet = 0): Iterable<PlantedResource> {
  yield* planted(BASE_ENVIRONMENT, environmentContent(baseRoots, edgeHost));
  yield* planted(BASE_ENVIRONMENT, fleetContent(fleet, edgeHost));
  yield* planted(SECOND_ENVIRONMENT, environmentContent(productionRoots, edgeHost));
}

function* environmentContent(roots: readonly SiteRoot[], edgeHost: string): Iterable<Resource> {
  yield { path: '/content', properties: { 'jcr:primaryType': 'sling:OrderedFolder' } };
  yield { path: '/conf', properties: { 'jcr:primaryType': 'sling:Folder' } };
  const countries = new Set<string>();
  for (const root of roots) {
    const above = parentOf(root.path);
    const country = COUNTRIES[above.slice('/content/wknd/'.length)];
    if (country !== undefined && !countries.has(above)) {
      countries.add(above);
      yield* container(above, country);
    }
    yield* rootResources(root, textsOf(root.language), edgeHost);
    if (root.path === '/content/wknd') yield* languageMasters(edgeHost);
  }
}

/** A root comes before the countries below it, and those before their sites. */
function* fleetContent(count: number, edgeHost: string): Iterable<Resource> {
  const [base, ...sites] = fleetRoots(count);
  if (base === undefined) return;
  yield* rootResources(base, textsOf(base.language), edgeHost);
  for (const { path, title } of fleetCountries(count)) yield* container(path, title);
  for (const site of sites) yield* rootResources(site, textsOf(site.language), edgeHost);
}

function* languageMasters(edgeHost: string): Iterable<Resource> {
  const path = '/content/wknd/language-masters';
  yield* container(path, 'Language Masters');
  for (const { language } of LANGUAGES) {
    const master: SiteRoot = { path: `${path}/${language}`, language, configurationPage: 'none' };
    yield* rootResources(master, textsOf(language), edgeHost);
  }
}

/** A page that only holds others. */
function container(path: string, title: string): Iterable<Resource> {
  return pageResources(path, { path: '', title, description: title, parts: [] }, { hideInNav: true });
}

function textsOf(language: string): LanguageTexts {
  return LANGUAGES.find((texts) => texts.language === language) ?? english;
}

function* planted(environment: string, resources: Iterable<Resource>): Iterable<PlantedResource> {
  for (const { path, properties } of resources) yield { environment, path, properties };
}
