import { BUILD_MANAGEMENT_EXAMPLES } from './scenario-build-management.ts';
import { sitePartExamples } from './scenario-parts.ts';
import { PEOPLE_EXAMPLES } from './scenario-people.ts';
import { PROFILE_EXAMPLES } from './scenario-profiles.ts';
import { CODE_EXAMPLES, SECRET_EXAMPLES } from './scenario-code.ts';
import { ROLLOUT_EXAMPLES } from './scenario-rollouts.ts';
import { EVENT_EXAMPLES } from './scenario-events.ts';
import { SIGN_IN_EXAMPLES } from './scenario-sign-in.ts';
import { example } from './step.ts';
import type { Step } from './step.ts';

const EDITOR = { params: { name: 'universal' } };

/**
 * The examples of the reference, in an order that works: each is run where those before it have led. A call that is new has
 * its example here, in a line: method, path, token and body come from its row, PARAMETER_EXAMPLES and BODY_EXAMPLES.
 */
export const SCENARIO: readonly Step[] = [
  example('getService'),
  example('getLive'),
  example('getReady'),
  example('getHealth'),
  example('operatorPage', { title: 'A browser is sent to the sign-in, and comes back.', token: null, status: 302 }),
  example('getOpenApi'),
  example('getOpenApiAliases'),
  example('getOpenApiDryRun'),

  // An organization, and its first site.
  example('challengeOrg'),
  example('putOrg', { title: 'By an operator of the service, who needs no challenge.' }),
  example('postOrg'),
  example('getOrg'),
  example('getServiceState'),
  example('listOwnOrgs'),
  example('putSite'),
  example('putSite', {
    title: 'Tried first: nothing is stored.',
    query: 'dryRun=true',
    body: {
      code: { owner: 'wknd', repo: 'wknd' },
      content: { source: { url: contentAddress('wknd-de'), type: 'markup', suffix: '.html' } },
    },
  }),
  example('putSite', { title: 'Without a token.', token: null, status: 401 }),
  example('putSite', {
    title: 'With the content address of another site.',
    body: { content: { source: { url: contentAddress('wknd-fr'), type: 'markup' } }, code: { owner: 'wknd', repo: 'wknd' } },
    status: 400,
  }),
  example('postSite'),
  example('getSite', { keep: { ETAG: 'header etag' } }),
  example('listSites'),
  example('listSites', { title: 'With details, one at a time.', query: 'details=true&limit=1' }),
  example('putSiteCheck'),
  example('getSiteCheck'),
  example('getOrgChecks', { query: 'limit=1' }),
  example('startOrgCheck'),
  ...sitePartExamples(),
  ...ROLLOUT_EXAMPLES,
  example('serveAssistant'),
  example('setRobots'),
  example('getRobots'),
  example('deleteRobots'),
  example('putSiteQueryYaml', { status: 201 }),
  example('postSiteQueryYaml'),
  example('getSiteQueryYaml'),
  example('deleteSiteQueryYaml'),
  example('putSiteSitemapYaml', { status: 201 }),
  example('postSiteSitemapYaml'),
  example('getSiteSitemapYaml'),
  example('deleteSiteSitemapYaml'),
  example('setSiteGroup'),
  example('getSiteGroup'),
  example('deleteSiteGroup'),
  example('setSiteEditorEntry', EDITOR),
  example('getSiteEditorEntry', EDITOR),
  example('deleteSiteEditorEntry', EDITOR),

  // What became of it.
  example('listVersions'),
  example('getVersion'),
  example('compareVersions'),
  example('nameVersion'),
  example('deleteVersion', { params: { version: 2 } }),
  example('postSite', { title: 'A version brought back.', query: 'restoreVersion=1', body: null }),

  ...PEOPLE_EXAMPLES,
  example('listOrgVersions'),
  example('getOrgVersion'),
  example('compareOrgVersions'),
  example('nameOrgVersion'),
  example('deleteOrgVersion'),
  ...PROFILE_EXAMPLES,

  ...SIGN_IN_EXAMPLES,
  ...CODE_EXAMPLES,
  ...EVENT_EXAMPLES,
  ...SECRET_EXAMPLES,
  ...BUILD_MANAGEMENT_EXAMPLES,

  // The other site holds the secret of their repository.
  example('deleteSite', { params: { site: 'wknd-fr' } }),
];

function contentAddress(site: string): string {
  return `https://author-p100-e200.adobeaemcloud.com/bin/franklin.delivery/wknd/${site}/main`;
}
