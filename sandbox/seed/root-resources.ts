import { CONFIGURATION_TEMPLATE, PAGE_TEMPLATE, PAGE_TYPE, SPREADSHEET_TYPE } from '../authoring-system/create-page.ts';
import type { Properties, Resource } from '../authoring-system/resource.ts';
import { EDGE_CONFIGURATION } from '@repoless/contract/authoring.ts';
import { pageResources, SEEDED_AT } from './page-resources.ts';
import { PROJECT_TYPES } from './site-root.ts';
import type { SeededConfiguration, SiteRoot } from './site-root.ts';
import type { LanguageTexts } from './texts/page-texts.ts';

/** All that the content tree holds for one site root: its pages, its configuration page, its Edge Delivery configuration. */
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
