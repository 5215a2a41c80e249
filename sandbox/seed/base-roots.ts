/** A deliberate problem of a seeded site: the check that must find it, and a description. */
export interface Trouble {
  readonly check: string;
  readonly explanation: string;
}

/** A site root of the content tree, with its Edge Delivery configuration and the site that a first start registers for it. */
export interface SiteRoot {
  readonly path: string;
  readonly language: string;
  readonly title?: string;
  /** How many of the language's pages it has; defaults to all. */
  readonly pages?: number;
  /** The page that this one is a live copy of. */
  readonly master?: string;
  readonly configuration?: SeededConfiguration;
  readonly configurationPage: 'spreadsheet' | 'ordinary page' | 'none';
  readonly service?: SeededService;
  readonly trouble?: Trouble;
}

export interface SeededConfiguration {
  /** The value of `cq:conf`. */
  readonly conf: string;
  readonly owner: string;
  readonly repo: string;
  readonly projectType: 'plain' | 'repoless';
  /** Whether the delivery address needs no token; defaults to true. */
  readonly open?: false;
}

export interface SeededService {
  readonly site: string;
  /** Repository of the organization; defaults to `wknd`. */
  readonly repository?: string;
  /** Defaults to those of a site that is set up well. */
  readonly mappings?: readonly string[];
  readonly administrators?: readonly string[];
  /** Defaults to `own`. */
  readonly technicalAccount?: 'own' | "the other environment's" | 'none';
}

/** The values of `projectType` in the authoring system. */
export const PROJECT_TYPES = { plain: '1', repoless: '4' } as const;

export const ORGANIZATION = 'wknd';

/** The locales of the base site, live copies of its language masters. */
const localeRoots: readonly SiteRoot[] = [
  { ...locale('ch', 'de', 'repoless'), service: { site: 'wknd-ch-de' } },
  {
    ...locale('ch', 'fr', 'plain'),
    trouble: { check: 'site-registered', explanation: 'The authoring system is prepared; the service does not know the site yet.' },
  },
  {
    ...inheriting('ch', 'it'),
    service: { site: 'wknd-ch-it' },
    trouble: {
      check: 'cloud-configuration-own',
      explanation: 'The locale inherits the configuration of the base site and publishes to it.',
    },
  },
  {
    ...locale('de', 'de', 'repoless'),
    trouble: {
      check: 'site-registered',
      explanation: 'Switched to repoless before the site was registered: the editor shows a white page.',
    },
  },
  inheriting('de', 'en'),
  {
    ...locale('fr', 'fr', 'repoless'),
    service: { site: 'wknd-fr-fr', technicalAccount: "the other environment's" },
    trouble: {
      check: 'technical-account-environment',
      explanation: 'The technical account is that of the other environment: publishing fails.',
    },
  },
  {
    ...locale('it', 'it', 'repoless'),
    service: {
      site: 'wknd-it-it',
      mappings: ['/content/wknd/it/it:/', '/content/wknd/it/it/configuration:/.helix/config.json'],
    },
    trouble: {
      check: 'mapping-site-root',
      explanation: 'The mapping of the root lacks its trailing slash: pages below it are not mapped.',
    },
  },
  {
    ...locale('us', 'en', 'repoless', 'wknd-usa'),
    service: { site: 'wknd-us-en' },
    trouble: {
      check: 'organization-and-site-name',
      explanation: 'The configuration names wknd-usa; the service knows the site as wknd-us-en.',
    },
  },
  {
    ...locale('us', 'es', 'plain'),
    configurationPage: 'ordinary page',
    service: { site: 'wknd-us-es' },
    trouble: { check: 'configuration-page', explanation: 'The configuration page is an ordinary page, not a spreadsheet.' },
  },
  {
    ...locale('at', 'de', 'plain', 'wknd-at-de-the-alpine-and-mountain-region-of-austria-and-south-tyrol'),
    trouble: { check: 'host-label', explanation: 'The site name is too long for a host name.' },
  },
  {
    ...locale('gb', 'en', 'repoless'),
    service: { site: 'wknd-gb-en', mappings: ['/content/wknd/gb/en/:/'] },
    trouble: { check: 'mapping-configuration', explanation: 'The mapping of the configuration page was forgotten.' },
  },
];

function inheriting(country: string, language: string): SiteRoot {
  return {
    path: `/content/wknd/${country}/${language}`,
    language,
    master: `/content/wknd/language-masters/${language}`,
    configurationPage: 'none',
  };
}

/** A locale with its own cloud configuration. */
function locale(
  country: string,
  language: string,
  projectType: 'plain' | 'repoless',
  repo: string = `wknd-${country}-${language}`,
): SiteRoot {
  return {
    ...inheriting(country, language),
    configuration: { conf: `/conf/wknd/${country}-${language}`, owner: ORGANIZATION, repo, projectType },
    configurationPage: 'spreadsheet',
  };
}

/** The site roots of the base environment: set up, half set up, and wrong in the ways in which authors get it wrong. */
export const baseRoots: readonly SiteRoot[] = [
  {
    path: '/content/wknd',
    language: 'en',
    pages: 1,
    configuration: { conf: '/conf/wknd', owner: ORGANIZATION, repo: 'wknd', projectType: 'repoless' },
    configurationPage: 'spreadsheet',
    service: { site: 'wknd' },
  },
  ...localeRoots,
  { ...root('summit', 'Tarnfell Summit School'), configurationPage: 'none' },
  {
    ...root('harbour', 'Tarnfell Harbour House'),
    service: { site: 'harbour' },
    trouble: { check: 'project-type', explanation: 'The service is ready; only the switch to repoless is missing.' },
  },
  {
    ...root('lantern', 'Tarnfell Lantern Walks'),
    configuration: { conf: '/conf/lantern', owner: ORGANIZATION.toUpperCase(), repo: 'lantern', projectType: 'plain' },
    trouble: { check: 'organization-and-site-name', explanation: 'The organization is written in upper-case letters.' },
  },
  {
    ...root('meadow', 'Tarnfell Meadow Camps', 'repoless'),
    configurationPage: 'none',
    service: { site: 'meadow' },
    trouble: { check: 'configuration-page', explanation: 'The mapping leads to a configuration page that does not exist.' },
  },
  {
    ...root('orchard', 'Tarnfell Orchard Kitchen'),
    configuration: { conf: '/conf/orchard', owner: ORGANIZATION, repo: 'wknd', projectType: 'plain' },
    trouble: {
      check: 'organization-and-site-name',
      explanation: 'The configuration was copied from the base site and still carries its site name.',
    },
  },
  {
    ...root('quarry', 'Tarnfell Quarry Climbing'),
    configuration: { conf: '/conf/quarry', owner: ORGANIZATION, repo: 'quarry', projectType: 'plain', open: false },
    service: { site: 'quarry' },
    trouble: { check: 'delivery-answers', explanation: 'The content is delivered to the technical account alone.' },
  },
  {
    path: '/content/willow',
    title: 'Tarnfell Willow Gardens',
    language: 'en',
    pages: 3,
    configurationPage: 'none',
    trouble: { check: 'cloud-configuration-own', explanation: 'No page up to the root selects a cloud configuration.' },
  },
  {
    ...root('another-site', 'Tarnfell Neighbours', 'repoless'),
    service: { site: 'another-site', administrators: ['nora.neighbour@example.com'] },
    trouble: { check: 'caller-administers', explanation: 'Somebody else administers this site.' },
  },
  {
    ...root('legacy', 'Tarnfell Archive', 'repoless'),
    service: { site: 'legacy', repository: 'legacy' },
    trouble: { check: 'config-shadowed', explanation: 'The repository has its own config.json, and also fstab.yaml and paths.json.' },
  },
  {
    ...root('plaza', 'Tarnfell City Walks', 'repoless'),
    service: { site: 'plaza', administrators: ['*'] },
    trouble: { check: 'wildcard-administrators', explanation: 'Everybody administers this site.' },
  },
  {
    ...root('ferry', 'Tarnfell Island Ferry', 'repoless'),
    service: { site: 'ferry', technicalAccount: 'none' },
    trouble: { check: 'technical-account-listed', explanation: 'The technical account was forgotten: publishing fails silently.' },
  },
];

/** A separate root that is well configured in the authoring system. */
function root(name: string, title: string, projectType: 'plain' | 'repoless' = 'plain'): SiteRoot {
  return {
    path: `/content/${name}`,
    title,
    language: 'en',
    pages: 4,
    configuration: { conf: `/conf/${name}`, owner: ORGANIZATION, repo: name, projectType },
    configurationPage: 'spreadsheet',
  };
}

/** The second environment: production twins of several sites, each a separate site of the service on the same repository. */
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
