import type { RoleName } from '@repoless/contract/access.ts';
import { type EndpointId, partEndpointId } from '@repoless/contract/endpoints.ts';
import { PROFILE_PART_NAMES, SITE_PART_NAMES, type SitePart } from '@repoless/contract/site.ts';

/**
 * Who may make a call. `roles`: callers with one of these roles in the scope of the call; `open`: everyone, if the site's `requireAuth` is false;
 * `claim`: callers without a role who prove that the organization is theirs. Written from the contract's table of roles, not from the code
 * under test.
 */
export type Rule =
  | { readonly who: 'everyone' }
  | { readonly who: 'no-caller' }
  | { readonly who: 'signed-in' }
  | { readonly who: 'people' }
  | { readonly who: 'operators'; readonly signsIn?: true }
  | { readonly who: 'page' }
  | { readonly who: 'roles'; readonly roles: readonly RoleName[]; readonly open?: true; readonly claim?: true };

const EVERYONE: Rule = { who: 'everyone' };
/** Authorized only by a key of the settings or by a cookie of the flow, whoever the caller is. */
const NO_CALLER: Rule = { who: 'no-caller' };
const SIGNED_IN: Rule = { who: 'signed-in' };
/** Signed-in people, not API keys. */
const PEOPLE: Rule = { who: 'people' };
/** Operators named in the settings, whatever their roles. */
const OPERATORS: Rule = { who: 'operators' };
/** The same; anonymous visitors are redirected to the sign-in. */
const OPERATOR_PAGE: Rule = { who: 'operators', signsIn: true };
/** Authorized only by a value that the page showed its reader, whoever the caller is. */
const PAGE: Rule = { who: 'page' };
const ADMIN: Rule = { who: 'roles', roles: ['admin'] };
const CLAIM: Rule = { ...ADMIN, claim: true };
const CONFIGURE: Rule = { who: 'roles', roles: ['admin', 'config_admin'] };
const CONFIGURE_OPEN: Rule = { ...CONFIGURE, open: true };
const AGGREGATE: Rule = { who: 'roles', roles: ['admin', 'config_admin', 'config'], open: true };
const JOBS: Rule = {
  who: 'roles',
  roles: ['admin', 'config_admin', 'develop', 'author', 'publish', 'basic_author', 'basic_publish', 'view'],
  open: true,
};
const SYNC: Rule = { who: 'roles', roles: ['admin', 'config_admin', 'develop', 'author', 'publish'] };

/** The compiler requires a line for every call. */
export const RULES = {
  listSites: CONFIGURE,
  serveAssistant: SIGNED_IN,
  getOrgChecks: CONFIGURE,
  startOrgCheck: CONFIGURE,
  getSiteCheck: CONFIGURE,
  putSiteCheck: CONFIGURE,
  getSite: CONFIGURE_OPEN,
  putSite: CONFIGURE,
  postSite: CONFIGURE,
  deleteSite: ADMIN,
  getRobots: CONFIGURE_OPEN,
  setRobots: CONFIGURE,
  deleteRobots: CONFIGURE,
  getSiteQueryYaml: CONFIGURE_OPEN,
  putSiteQueryYaml: CONFIGURE,
  postSiteQueryYaml: CONFIGURE,
  deleteSiteQueryYaml: CONFIGURE,
  getSiteSitemapYaml: CONFIGURE_OPEN,
  putSiteSitemapYaml: CONFIGURE,
  postSiteSitemapYaml: CONFIGURE,
  deleteSiteSitemapYaml: CONFIGURE,
  getSiteGroup: CONFIGURE,
  setSiteGroup: ADMIN,
  deleteSiteGroup: ADMIN,
  getSiteEditorEntry: CONFIGURE_OPEN,
  setSiteEditorEntry: CONFIGURE,
  deleteSiteEditorEntry: CONFIGURE,
  getProfileEditorEntry: CONFIGURE,
  setProfileEditorEntry: CONFIGURE,
  deleteProfileEditorEntry: CONFIGURE,
  getOrgAccessAdmin: CONFIGURE,
  setOrgAccessAdmin: ADMIN,
  deleteOrgAccessAdmin: ADMIN,
  getAggregate: AGGREGATE,
  getAggregateRobots: AGGREGATE,
  getAggregatePart: AGGREGATE,
  checkCode: CONFIGURE,
  listVersions: CONFIGURE,
  compareVersions: CONFIGURE,
  getVersion: CONFIGURE,
  nameVersion: CONFIGURE,
  deleteVersion: ADMIN,
  getSiteLog: ADMIN,
  getPublicLog: ADMIN,
  listSecrets: CONFIGURE,
  generateSecret: CONFIGURE,
  getSecret: CONFIGURE,
  setSecret: CONFIGURE,
  deleteSecret: CONFIGURE,
  listProfileSecrets: CONFIGURE,
  generateProfileSecret: ADMIN,
  getProfileSecret: CONFIGURE,
  setProfileSecret: ADMIN,
  deleteProfileSecret: ADMIN,
  listOrgSecrets: CONFIGURE,
  generateOrgSecret: ADMIN,
  getOrgSecret: CONFIGURE,
  setOrgSecret: ADMIN,
  deleteOrgSecret: ADMIN,
  listSiteTokens: CONFIGURE,
  createSiteToken: ADMIN,
  getSiteToken: CONFIGURE,
  deleteSiteToken: ADMIN,
  listProfileTokens: CONFIGURE,
  createProfileToken: ADMIN,
  getProfileToken: CONFIGURE,
  deleteProfileToken: ADMIN,
  listProfileApiKeys: ADMIN,
  createProfileApiKey: ADMIN,
  getProfileApiKey: ADMIN,
  deleteProfileApiKey: ADMIN,
  listEvents: CONFIGURE,
  readEvents: CONFIGURE,
  listRollouts: CONFIGURE,
  startRollout: CONFIGURE,
  getRollout: CONFIGURE,
  listRolloutSites: CONFIGURE,
  stopRollout: CONFIGURE,
  resumeRollout: CONFIGURE,
  undoRollout: CONFIGURE,
  listSubscriptions: CONFIGURE,
  createSubscription: CONFIGURE,
  getSubscription: CONFIGURE,
  putSubscription: CONFIGURE,
  deleteSubscription: CONFIGURE,
  listMessages: CONFIGURE,
  sendMessageAgain: CONFIGURE,
  testSubscription: CONFIGURE,
  listApiKeys: ADMIN,
  createApiKey: ADMIN,
  getApiKey: ADMIN,
  deleteApiKey: ADMIN,
  getJob: JOBS,
  getJobDetails: JOBS,
  getNamedJob: JOBS,
  getCode: JOBS,
  getCodeFile: JOBS,
  getStatus: JOBS,
  getSidekickConfig: JOBS,
  getPathStatus: JOBS,
  startSync: SYNC,
  startBranchSync: SYNC,
  stopJob: SYNC,
  serveCommit: SYNC,

  getUsage: CONFIGURE,
  listOwnOrgs: SIGNED_IN,
  getOrg: CONFIGURE,
  putOrg: CLAIM,
  postOrg: CLAIM,
  challengeOrg: PEOPLE,
  listOrgUsers: CONFIGURE,
  addOrgUser: ADMIN,
  getOrgUser: CONFIGURE,
  setOrgUser: ADMIN,
  deleteOrgUser: ADMIN,
  listOrgGroups: CONFIGURE,
  getOrgGroup: CONFIGURE,
  setOrgGroup: ADMIN,
  deleteOrgGroup: ADMIN,
  listOrgApiKeys: ADMIN,
  createOrgApiKey: ADMIN,
  getOrgApiKey: ADMIN,
  deleteOrgApiKey: ADMIN,
  listOrgVersions: CONFIGURE,
  compareOrgVersions: CONFIGURE,
  getOrgVersion: CONFIGURE,
  nameOrgVersion: ADMIN,
  deleteOrgVersion: ADMIN,
  getLog: ADMIN,
  verifyLog: ADMIN,

  listProfiles: CONFIGURE,
  getProfile: CONFIGURE,
  putProfile: CONFIGURE,
  postProfile: CONFIGURE,
  deleteProfile: ADMIN,
  getProfileRobots: CONFIGURE,
  setProfileRobots: CONFIGURE,
  deleteProfileRobots: CONFIGURE,
  getProfileGroup: CONFIGURE,
  setProfileGroup: ADMIN,
  deleteProfileGroup: ADMIN,
  listProfileVersions: CONFIGURE,
  compareProfileVersions: CONFIGURE,
  getProfileVersion: CONFIGURE,
  nameProfileVersion: CONFIGURE,
  deleteProfileVersion: ADMIN,

  addRepositoryLog: NO_CALLER,
  pushed: NO_CALLER,
  branchDeleted: NO_CALLER,
  // Everyone gets as far as the signature check.
  githubWebhook: EVERYONE,
  login: EVERYONE,
  loginSite: EVERYONE,
  acknowledge: NO_CALLER,
  profile: SIGNED_IN,
  logout: EVERYONE,
  endSessions: OPERATORS,
  keys: EVERYONE,
  exchangeToken: EVERYONE,
  authorizeDevice: EVERYONE,
  deviceToken: EVERYONE,
  devicePage: EVERYONE,
  approveDevice: PAGE,
  readAuthoring: SIGNED_IN,
  writeAuthoring: SIGNED_IN,
  getService: EVERYONE,
  operatorPage: OPERATOR_PAGE,
  getServiceState: OPERATORS,
  getLive: EVERYONE,
  getReady: EVERYONE,
  getHealth: EVERYONE,
  getOpenApi: EVERYONE,
  getOpenApiAliases: EVERYONE,
  getOpenApiDryRun: EVERYONE,
} as const satisfies Readonly<Record<EndpointId, Rule>>;

/** Queries for which other rules apply than the row's. */
export const QUERY_RULES = [['getSite', 'migrate=true', CONFIGURE]] as const satisfies readonly (readonly [EndpointId, string, Rule])[];

interface PartRules {
  readonly get: Rule;
  readonly set: Rule;
  readonly remove: Rule;
}
const PART: PartRules = { get: CONFIGURE_OPEN, set: CONFIGURE, remove: CONFIGURE };
const ACCESS: PartRules = { get: CONFIGURE, set: ADMIN, remove: ADMIN };
const PROFILE_PART: PartRules = { get: CONFIGURE, set: CONFIGURE, remove: CONFIGURE };

/** The parts that say who may do what, or who reads the hosts. */
const ABOUT_PEOPLE: readonly SitePart[] = ['access', 'access/admin', 'access/site', 'access/preview', 'access/live', 'groups'];

/** Every rule by the identifier of its call, as `allEndpoints` names them. */
export function allRules(): ReadonlyMap<string, Rule> {
  return new Map([
    ...Object.entries<Rule>(RULES),
    ...ofParts('Site', SITE_PART_NAMES, PART),
    ...ofParts('Profile', PROFILE_PART_NAMES, PROFILE_PART),
  ]);
}

function ofParts(owner: 'Site' | 'Profile', parts: readonly SitePart[], usual: PartRules): [string, Rule][] {
  return parts.flatMap((part) => {
    const rules = ABOUT_PEOPLE.includes(part) ? ACCESS : usual;
    return (['get', 'set', 'remove'] as const).map((operation): [string, Rule] => [
      partEndpointId(owner, part, operation),
      rules[operation],
    ]);
  });
}
