import type { SiteRoot } from './site-root.ts';
import { ORGANIZATION } from './site-root.ts';

/** The second environment: production twins of a few sites, each a service site of its own on the same repository. */
export const productionRoots: readonly SiteRoot[] = [
  {
    path: '/content/wknd',
    language: 'en',
    pages: 1,
    configuration: { conf: '/conf/wknd', owner: ORGANIZATION, repo: 'wknd-prod', projectType: 'repoless' },
    configurationPage: 'spreadsheet',
    service: { site: 'wknd-prod' },
  },
  {
    path: '/content/wknd/ch/de',
    language: 'de',
    master: '/content/wknd/language-masters/de',
    configuration: { conf: '/conf/wknd/ch-de', owner: ORGANIZATION, repo: 'wknd-ch-de-prod', projectType: 'plain' },
    configurationPage: 'none',
  },
  {
    path: '/content/wknd/de/de',
    language: 'de',
    master: '/content/wknd/language-masters/de',
    configurationPage: 'none',
  },
  {
    path: '/content/summit',
    title: 'Tarnfell Summit School',
    language: 'en',
    pages: 4,
    configuration: { conf: '/conf/summit', owner: ORGANIZATION, repo: 'summit-prod', projectType: 'plain' },
    configurationPage: 'none',
  },
];
