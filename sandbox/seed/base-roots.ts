import { localeRoots } from './locale-roots.ts';
import type { SiteRoot } from './site-root.ts';
import { ORGANIZATION } from './site-root.ts';

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
    trouble: { check: 'project-type', says: 'The service is ready; only the switch to repoless is missing.' },
  },
  {
    ...root('lantern', 'Tarnfell Lantern Walks'),
    configuration: { conf: '/conf/lantern', owner: ORGANIZATION.toUpperCase(), repo: 'lantern', projectType: 'plain' },
    trouble: { check: 'organization-and-site-name', says: 'The organization is written in upper-case letters.' },
  },
  {
    ...root('meadow', 'Tarnfell Meadow Camps', 'repoless'),
    configurationPage: 'none',
    service: { site: 'meadow' },
    trouble: { check: 'configuration-page', says: 'The mapping leads to a configuration page that does not exist.' },
  },
  {
    ...root('orchard', 'Tarnfell Orchard Kitchen'),
    configuration: { conf: '/conf/orchard', owner: ORGANIZATION, repo: 'wknd', projectType: 'plain' },
    trouble: {
      check: 'organization-and-site-name',
      says: 'The configuration was copied from the base site and still carries its site name.',
    },
  },
  {
    ...root('quarry', 'Tarnfell Quarry Climbing'),
    configuration: { conf: '/conf/quarry', owner: ORGANIZATION, repo: 'quarry', projectType: 'plain', open: false },
    service: { site: 'quarry' },
    trouble: { check: 'delivery-answers', says: 'The content is delivered to the technical account alone.' },
  },
  {
    path: '/content/willow',
    title: 'Tarnfell Willow Gardens',
    language: 'en',
    pages: 3,
    configurationPage: 'none',
    trouble: { check: 'cloud-configuration-own', says: 'No page up to the root selects a cloud configuration.' },
  },
  {
    ...root('another-site', 'Tarnfell Neighbours', 'repoless'),
    service: { site: 'another-site', administrators: ['nora.neighbour@example.com'] },
    trouble: { check: 'caller-administers', says: 'Somebody else administers this site.' },
  },
  {
    ...root('legacy', 'Tarnfell Archive', 'repoless'),
    service: { site: 'legacy', repository: 'legacy' },
    trouble: { check: 'config-shadowed', says: 'The repository has a config.json of its own, and fstab.yaml and paths.json besides.' },
  },
  {
    ...root('plaza', 'Tarnfell City Walks', 'repoless'),
    service: { site: 'plaza', administrators: ['*'] },
    trouble: { check: 'wildcard-administrators', says: 'Everybody administers this site.' },
  },
  {
    ...root('ferry', 'Tarnfell Island Ferry', 'repoless'),
    service: { site: 'ferry', technicalAccount: 'none' },
    trouble: { check: 'technical-account-listed', says: 'The technical account was forgotten: publishing fails silently.' },
  },
];

/** A root of its own that is well configured in the authoring system. */
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
