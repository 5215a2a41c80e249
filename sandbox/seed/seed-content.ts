import { EDGE_CONFIGURATION } from '@repoless/contract/authoring.ts';
import {
  parentOf,
  type PlantedResource,
  type Properties,
  type Resource,
  BASE_ENVIRONMENT,
  SECOND_ENVIRONMENT,
} from '../authoring-system/content-store.ts';
import { CONFIGURATION_TEMPLATE, PAGE_TEMPLATE, PAGE_TYPE, SPREADSHEET_TYPE } from '../authoring-system/create-page.ts';
import { baseRoots, productionRoots, PROJECT_TYPES, type SeededConfiguration, type SiteRoot } from './base-roots.ts';
import { fleetCountries, fleetRoots } from './fleet-roots.ts';
import { pageResources, SEEDED_AT, type LanguageTexts, LANGUAGES, textsOf } from './page-resources.ts';

const COUNTRIES: Readonly<Record<string, string>> = {
  ch: 'Switzerland',
  de: 'Germany',
  fr: 'France',
  it: 'Italy',
  us: 'United States',
  at: 'Austria',
  gb: 'United Kingdom',
};

/** The content of both environments. Takes the edge host domain of the configurations, and the number of additional sites. */
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

/** A root precedes the countries below it, and those precede their sites. */
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

/** A page that only contains others. */
function container(path: string, title: string): Iterable<Resource> {
  return pageResources(path, { path: '', title, description: title, parts: [] }, { hideInNav: true });
}

function* planted(environment: string, resources: Iterable<Resource>): Iterable<PlantedResource> {
  for (const { path, properties } of resources) yield { environment, path, properties };
}

/** Everything in the content tree for one site root: its pages, its configuration page, its Edge Delivery configuration. */
export function* rootResources(root: SiteRoot, texts: LanguageTexts, edgeHost: string): Iterable<Resource> {
  const { configuration, master } = root;
  for (const page of texts.pages.slice(0, root.pages)) {
    const home = page.path === '';
    const path = home ? root.path : `${root.path}/${page.path}`;
    const named = home && root.title !== undefined ? { ...page, title: root.title } : page;
    yield* pageResources(path, named, {
      ...(home ? { 'jcr:language': texts.language, navRoot: true, footerText: texts.footer } : {}),
      ...(home && configuration !== undefined ? { 'cq:conf': configuration.conf } : {}),
      ...(master === undefined ? {} : liveCopyProperties(home)),
    });
    if (home && master !== undefined) yield liveSyncConfiguration(root.path, master);
  }
  if (configuration !== undefined) yield* edgeConfiguration(configuration, edgeHost);
  if (root.configurationPage !== 'none') yield* configurationPage(root);
}

function liveCopyProperties(home: boolean): Properties {
  return {
    'jcr:mixinTypes': home ? ['cq:LiveRelationship', 'cq:LiveSync'] : ['cq:LiveRelationship'],
    'cq:lastRolledout': SEEDED_AT,
    'cq:lastRolledoutBy': 'ada.admin@example.com',
  };
}

function liveSyncConfiguration(root: string, master: string): Resource {
  return {
    path: `${root}/jcr:content/cq:LiveSyncConfig`,
    properties: {
      'jcr:primaryType': 'cq:LiveCopy',
      'cq:master': master,
      'cq:isDeep': true,
      'cq:rolloutConfigs': ['/libs/msm/wcm/rolloutconfigs/default'],
    },
  };
}

function* edgeConfiguration(configuration: SeededConfiguration, edgeHost: string): Iterable<Resource> {
  yield { path: configuration.conf, properties: { 'jcr:primaryType': 'sling:Folder', 'jcr:title': configuration.repo } };
  const path = `${configuration.conf}/${EDGE_CONFIGURATION}`;
  yield { path, properties: { 'jcr:primaryType': 'cq:Page' } };
  yield {
    path: `${path}/jcr:content`,
    properties: {
      'jcr:primaryType': 'cq:PageContent',
      'jcr:title': 'Edge Delivery Services Configuration',
      'sling:resourceType': 'core/franklin/components/cloudconfig/v1/cloudconfig',
      owner: configuration.owner,
      repo: configuration.repo,
      ref: 'main',
      projectType: PROJECT_TYPES[configuration.projectType],
      edgeHost,
      open: configuration.open ?? true,
    },
  };
}

function* configurationPage(root: SiteRoot): Iterable<Resource> {
  const path = `${root.path}/configuration`;
  const spreadsheet = root.configurationPage === 'spreadsheet';
  yield { path, properties: { 'jcr:primaryType': 'cq:Page', 'jcr:created': SEEDED_AT } };
  yield {
    path: `${path}/jcr:content`,
    properties: {
      'jcr:primaryType': 'cq:PageContent',
      'jcr:title': 'Configuration',
      'cq:template': spreadsheet ? CONFIGURATION_TEMPLATE : PAGE_TEMPLATE,
      'sling:resourceType': spreadsheet ? SPREADSHEET_TYPE : PAGE_TYPE,
      hideInNav: true,
      ...(spreadsheet ? { columns: ['key', 'value'] } : {}),
    },
  };
  if (!spreadsheet) return;
  const rows = [
    ['contact.mail', 'hello@tarnfell.example'],
    ['booking.opens', '08:00'],
  ] as const;
  for (const [index, [key, value]] of rows.entries())
    yield { path: `${path}/jcr:content/row${index}`, properties: { 'jcr:primaryType': 'nt:unstructured', key, value } };
}
