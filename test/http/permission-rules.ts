import type { RoleName } from '@repoless/contract/access.ts';
import { type EndpointId, partEndpointId } from '@repoless/contract/endpoints.ts';
import { type ProfilePart, SITE_PART_NAMES, type SitePart } from '@repoless/contract/site.ts';

/**
 * Who is allowed. `roles`: callers with one of them, at the place of the call; `open`: everybody, if the site's `requireAuth` is false; `claim`:
 * callers without a role who prove that the organization is theirs. Written from the table of roles in the contract, not from the code that it is
 * compared with.
 */
export type Rule =
  | { readonly who: 'everyone' }
  | { readonly who: 'nobody' }
  | { readonly who: 'signed-in' }
  | { readonly who: 'people' }
  | { readonly who: 'operators'; readonly signsIn?: true }
  | { readonly who: 'page' }
  | { readonly who: 'roles'; readonly roles: readonly RoleName[]; readonly open?: true; readonly claim?: true };

const EVERYONE: Rule = { who: 'everyone' };
/** Known by a key of the settings or by what the browser holds alone, whoever asks. */
const NOBODY: Rule = { who: 'nobody' };
const SIGNED_IN: Rule = { who: 'signed-in' };
/** A sign-in, and no API key. */
const PEOPLE: Rule = { who: 'people' };
/** Those that the settings name, wherever they have a role. */
const OPERATORS: Rule = { who: 'operators' };
/** The same, and whoever is not signed in is led to the sign-in. */
const OPERATOR_PAGE: Rule = { who: 'operators', signsIn: true };
/** Only what the page has shown to its reader is let in, whoever asks. */
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

/** A call without its line does not compile. */
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

  addRepositoryLog: NOBODY,
  pushed: NOBODY,
  branchDeleted: NOBODY,
  // Everybody gets as far as the check of the signature.
  githubWebhook: EVERYONE,
  login: EVERYONE,
  loginSite: EVERYONE,
  acknowledge: NOBODY,
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

/** What a call answers for a query is another matter than what its row says: who is let in then. */
export const QUERY_RULES = [['getSite', 'migrate=true', CONFIGURE]] as const satisfies readonly (readonly [EndpointId, string, Rule])[];

interface PartRules {
  readonly get: Rule;
  readonly set: Rule;
  readonly remove: Rule;
}
const PART: PartRules = { get: CONFIGURE_OPEN, set: CONFIGURE, remove: CONFIGURE };
const ACCESS: PartRules = { get: CONFIGURE, set: ADMIN, remove: ADMIN };
const PROFILE_PART: PartRules = { get: CONFIGURE, set: CONFIGURE, remove: CONFIGURE };

const PARTS = {
  content: PART,
  code: PART,
  access: ACCESS,
  'access/admin': ACCESS,
  'access/site': ACCESS,
  'access/preview': ACCESS,
  'access/live': ACCESS,
  public: PART,
  headers: PART,
  folders: PART,
  cdn: PART,
  'cdn/prod': PART,
  'cdn/preview': PART,
  'cdn/live': PART,
  'cdn/review': PART,
  sidekick: PART,
  metadata: PART,
  groups: ACCESS,
  robots: PART,
  events: PART,
  features: PART,
  limits: PART,
  editor: PART,
  extends: PART,
} as const satisfies Readonly<Record<SitePart, PartRules>>;

const PROFILE_PARTS = {
  content: PROFILE_PART,
  code: PROFILE_PART,
  access: ACCESS,
  'access/admin': ACCESS,
  'access/site': ACCESS,
  'access/preview': ACCESS,
  'access/live': ACCESS,
  public: PROFILE_PART,
  headers: PROFILE_PART,
  folders: PROFILE_PART,
  cdn: PROFILE_PART,
  'cdn/prod': PROFILE_PART,
  'cdn/preview': PROFILE_PART,
  'cdn/live': PROFILE_PART,
  'cdn/review': PROFILE_PART,
  sidekick: PROFILE_PART,
  metadata: PROFILE_PART,
  groups: ACCESS,
  robots: PROFILE_PART,
  events: PROFILE_PART,
  features: PROFILE_PART,
  limits: PROFILE_PART,
  editor: PROFILE_PART,
} as const satisfies Readonly<Record<ProfilePart, PartRules>>;

/** Every rule by the identifier of its call, as `allEndpoints` names them. */
export function allRules(): ReadonlyMap<string, Rule> {
  return new Map([...Object.entries<Rule>(RULES), ...ofParts('Site', PARTS), ...ofParts('Profile', PROFILE_PARTS)]);
}

function ofParts(owner: 'Site' | 'Profile', parts: Readonly<Partial<Record<SitePart, PartRules>>>): [string, Rule][] {
  return SITE_PART_NAMES.flatMap((part) => {
    const rules = parts[part];
    if (rules === undefined) return [];
    return (['get', 'set', 'remove'] as const).map((operation): [string, Rule] => [
      partEndpointId(owner, part, operation),
      rules[operation],
    ]);
  });
}
