import { partEndpointId } from '@repoless/contract/endpoints.ts';
import { PROFILE_PART_NAMES, SITE_PART_NAMES, type SitePart } from '@repoless/contract/site.ts';
import { BUILD_MANAGEMENT_EXAMPLES } from './scenario-build-management.ts';
import { CODE_EXAMPLES, EVENT_EXAMPLES, SECRET_EXAMPLES } from './scenario-code.ts';
import { SIGN_IN_EXAMPLES } from './scenario-sign-in.ts';
import { example, type Example, type ExampleOptions, type Step } from './step.ts';

/** A site requires these, so the example of removing them is a refusal. */
const NEEDED: readonly SitePart[] = ['content', 'code'];

const EDITOR = { params: { name: 'universal' } };

const user = { params: { user: '$USER' } };
const key = { params: { id: '$KEY' } };
const siteKey = { params: { id: '$SITE_KEY' } };

/** Users and groups of the organization, API keys, and the audit trail of their changes. */
const PEOPLE_EXAMPLES: readonly Step[] = [
  example('addOrgUser', { keep: { USER: 'id' } }),
  example('getOrgUser', user),
  example('setOrgUser', user),
  example('listOrgUsers'),
  example('deleteOrgUser', user),
  example('setOrgGroup'),
  example('getOrgGroup'),
  example('listOrgGroups'),
  example('deleteOrgGroup'),
  example('setOrgAccessAdmin'),
  example('getOrgAccessAdmin'),
  example('deleteOrgAccessAdmin'),

  example('createOrgApiKey', { keep: { KEY: 'id' } }),
  example('getOrgApiKey', key),
  example('listOrgApiKeys'),
  example('deleteOrgApiKey', key),
  example('createApiKey', { keep: { SITE_KEY: 'id' } }),
  example('getApiKey', siteKey),
  example('listApiKeys'),
  example('deleteApiKey', siteKey),

  example('getLog', { query: 'limit=2' }),
  example('getUsage'),
  example('getSiteLog', { query: 'limit=2' }),
  example('getPublicLog', { query: 'since=1h&limit=2' }),
  example('verifyLog'),
];

const OWN = { params: { name: 'own-program' } };
const PROFILE_TOKEN = { params: { id: '$PROFILE_TOKEN' } };
const PROFILE_KEY = { params: { id: '$PROFILE_KEY' } };

/** A profile, and a site that extends it; the site must exist. */
const PROFILE_EXAMPLES: readonly Step[] = [
  example('putProfile'),
  example('getProfile'),
  example('listProfiles'),
  ...profilePartExamples(),
  example('postProfile'),
  example('setProfileRobots'),
  example('getProfileRobots'),
  example('setProfileGroup'),
  example('getProfileGroup'),
  example('deleteProfileGroup'),

  example('setProfileEditorEntry', EDITOR),
  example('getProfileEditorEntry', EDITOR),
  example('deleteProfileEditorEntry', EDITOR),

  example('setProfileSecret', OWN),
  example('getProfileSecret', OWN),
  example('generateProfileSecret'),
  example('listProfileSecrets'),
  example('deleteProfileSecret', OWN),
  example('createProfileToken', { keep: { PROFILE_TOKEN: 'id' } }),
  example('getProfileToken', PROFILE_TOKEN),
  example('listProfileTokens'),
  example('deleteProfileToken', PROFILE_TOKEN),
  example('createProfileApiKey', { keep: { PROFILE_KEY: 'id' } }),
  example('getProfileApiKey', PROFILE_KEY),
  example('listProfileApiKeys'),
  example('deleteProfileApiKey', PROFILE_KEY),

  example('setSiteExtends'),
  example('getSiteExtends'),
  example('getAggregate'),
  example('getAggregatePart'),
  example('getAggregateRobots'),
  example('deleteProfileRobots'),
  example('deleteProfile', { title: 'While a site extends it.', status: 409 }),
  example('deleteSiteExtends'),

  example('listProfileVersions', {}),
  example('getProfileVersion'),
  example('compareProfileVersions'),
  example('nameProfileVersion'),
  example('deleteProfileVersion'),
  example('deleteProfile'),
];

const rollout = { rollout: '$ROLLOUT' };

/** A change of two sites, one of which is missing: it stops after the first wave, continues, and is undone. */
const ROLLOUT_EXAMPLES: readonly Step[] = [
  example('startRollout', { title: 'Tried first: `preview` says what it would make of each site.', query: 'dryRun=true' }),
  example('startRollout', { keep: { ROLLOUT: 'id' } }),
  example('getRollout', { params: rollout, until: '"state": "stopped"' }),
  example('listRollouts', {}),
  example('listRolloutSites', { params: rollout }),
  example('resumeRollout', { params: rollout }),
  example('getRollout', { title: 'When it has ended.', params: rollout, until: '"state": "done"' }),
  example('undoRollout', { params: rollout }),
  example('stopRollout', { title: 'One that is not running.', params: rollout, status: 409 }),
];

/**
 * An example of each call, in an order that works. A new call gets a line here: its method, path, token and body come from its row,
 * PARAMETER_EXAMPLES and BODY_EXAMPLES.
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

  // Its history.
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

/** Sets, reads and removes each part of a site; `extends` is among the examples of profiles. */
function sitePartExamples(): Example[] {
  const parts = SITE_PART_NAMES.filter((part) => part !== 'extends');
  return innerFirst(parts).flatMap((part) => [
    example(partEndpointId('Site', part, 'set')),
    example(partEndpointId('Site', part, 'get')),
    example(partEndpointId('Site', part, 'remove'), removal(part)),
  ]);
}

/** All parts of a profile are optional. */
function profilePartExamples(): Example[] {
  return innerFirst(PROFILE_PART_NAMES).flatMap((part) =>
    (['set', 'get', 'remove'] as const).map((operation) => example(partEndpointId('Profile', part, operation))),
  );
}

/** Nested parts come first, while the part that contains them still exists. */
function innerFirst<P extends SitePart>(parts: readonly P[]): P[] {
  return parts.toSorted((one, other) => Number(other.includes('/')) - Number(one.includes('/')));
}

function removal(part: SitePart): ExampleOptions {
  return NEEDED.includes(part) ? { status: 400, title: 'A site cannot be without it.' } : {};
}
