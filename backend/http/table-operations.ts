import type { checkEndpoints } from '@repoless/contract/site-check.ts';
import type { operatorEndpoints } from '@repoless/contract/operator.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import type { ApiKeyOperations } from '../access/api-key-operations.ts';
import type { SiteTokenOperations } from '../access/site-token-operations.ts';
import { checkCode, type CodeOperations } from '../code/rules/code-operations.ts';
import { type AnswerBudget, createAnswerBudget } from '../domain/answer-budget.ts';
import { getUsage } from '../domain/quotas.ts';
import type { EventOperations } from '../events/rules/event-operations.ts';
import { getLog, getSiteLog } from '../history/audit/get-log.ts';
import { getPublicLog } from '../history/audit/get-public-log.ts';
import { verifyLog } from '../history/audit/verify-log.ts';
import { historyOperations } from '../history/history-operations.ts';
import { challengeOrg } from '../orgs/challenge-org.ts';
import { listOwnOrgs } from '../orgs/list-own-orgs.ts';
import { deleteOrgAccessAdmin, getOrgAccessAdmin, setOrgAccessAdmin } from '../orgs/org-access.ts';
import { deleteOrgGroup, getOrgGroup, listOrgGroups, setOrgGroup } from '../orgs/org-groups.ts';
import { getOrg, postOrg, putOrg } from '../orgs/org-operations.ts';
import { addOrgUser, deleteOrgUser, getOrgUser, listOrgUsers, setOrgUser } from '../orgs/org-users.ts';
import { profileOperations } from '../profiles/profile-operations.ts';
import type { RolloutOperations } from '../rollouts/rules/rollout-operations.ts';
import { secretOperations } from '../secrets/secret-operations.ts';
import { getAggregate, getAggregatePart, getAggregateRobots, getSidekickConfig } from '../sites/get-aggregate.ts';
import { listSites } from '../sites/list-sites.ts';
import {
  deleteRobots,
  deleteSite,
  deleteSiteEditorEntry,
  deleteSiteGroup,
  getRobots,
  getSite,
  getSiteEditorEntry,
  getSiteGroup,
  postSite,
  putSite,
  setRobots,
  setSiteEditorEntry,
  setSiteGroup,
} from '../sites/site-operations.ts';
import {
  deleteSiteQueryYaml,
  deleteSiteSitemapYaml,
  getSiteQueryYaml,
  getSiteSitemapYaml,
  postSiteQueryYaml,
  postSiteSitemapYaml,
  putSiteQueryYaml,
  putSiteSitemapYaml,
} from '../sites/site-yaml.ts';
import type { statusOperations } from '../sites/status/get-status.ts';
import type { TableOperations } from './ports.ts';

type Configuration = Exclude<keyof TableOperations, OtherOperation>;
type OtherOperation = keyof OtherOperations;

/** The operations that are made from the settings: sign-in, the authoring proxy, code sync, API keys, site tokens, and what describes the service. */
export type OtherOperations = Pick<
  TableOperations,
  | 'login'
  | 'loginSite'
  | 'acknowledge'
  | 'profile'
  | 'logout'
  | 'endSessions'
  | 'keys'
  | 'exchangeToken'
  | 'authorizeDevice'
  | 'deviceToken'
  | 'devicePage'
  | 'approveDevice'
  | 'readAuthoring'
  | 'writeAuthoring'
  | 'serveAssistant'
  | 'getService'
  | 'getLive'
  | 'getReady'
  | 'getHealth'
  | 'getOpenApi'
  | 'getOpenApiAliases'
  | 'getOpenApiDryRun'
  | keyof typeof operatorEndpoints
  | keyof typeof checkEndpoints
  | keyof CodeOperations
  | keyof ApiKeyOperations
  | keyof SiteTokenOperations
  | keyof EventOperations
  | keyof RolloutOperations
  | keyof ReturnType<typeof statusOperations>
>;

/** The operations of the domain, which need nothing but their context. In: the budget of large answers of all organizations, until they are sent. */
const configuration = (budget: AnswerBudget): Pick<TableOperations, Configuration> => ({
  listSites: listSites(budget),
  getSite,
  putSite,
  postSite,
  deleteSite,
  getSiteQueryYaml,
  putSiteQueryYaml,
  postSiteQueryYaml,
  deleteSiteQueryYaml,
  getSiteSitemapYaml,
  putSiteSitemapYaml,
  postSiteSitemapYaml,
  deleteSiteSitemapYaml,
  ...historyOperations(budget),
  ...profileOperations,
  ...secretOperations,
  getSidekickConfig,
  getAggregate,
  getAggregateRobots,
  getAggregatePart,
  checkCode,
  getLog,
  getSiteLog,
  getPublicLog,
  verifyLog: verifyLog(),
  getRobots,
  setRobots,
  deleteRobots,
  getSiteGroup,
  setSiteGroup,
  deleteSiteGroup,
  getSiteEditorEntry,
  setSiteEditorEntry,
  deleteSiteEditorEntry,
  getUsage,
  listOwnOrgs,
  getOrg,
  putOrg,
  postOrg,
  challengeOrg,
  listOrgUsers,
  addOrgUser,
  getOrgUser,
  setOrgUser,
  deleteOrgUser,
  listOrgGroups,
  getOrgGroup,
  setOrgGroup,
  deleteOrgGroup,
  getOrgAccessAdmin,
  setOrgAccessAdmin,
  deleteOrgAccessAdmin,
});

export function tableOperations(others: OtherOperations): TableOperations {
  return { ...configuration(createAnswerBudget(LIMITS.answerBytes)), ...others };
}
