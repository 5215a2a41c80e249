import { createAnswerBudget } from '#backend/domain/answer-budget.ts';
import type { AnswerBudget } from '#backend/domain/answer-budget.ts';
import { getLog, getSiteLog } from '#backend/domain/audit/get-log.ts';
import { getPublicLog } from '#backend/domain/audit/get-public-log.ts';
import { verifyLog } from '#backend/domain/audit/verify-log.ts';
import { checkCode } from '#backend/domain/code/check-code.ts';
import { historyOperations } from '#backend/domain/history/history-operations.ts';
import { challengeOrg } from '#backend/domain/orgs/challenge-org.ts';
import { deleteOrgGroup, getOrgGroup, listOrgGroups, setOrgGroup } from '#backend/domain/orgs/org-groups.ts';
import { addOrgUser, deleteOrgUser, getOrgUser, listOrgUsers, setOrgUser } from '#backend/domain/orgs/org-users.ts';
import { listOwnOrgs } from '#backend/domain/orgs/list-own-orgs.ts';
import { deleteOrgAccessAdmin, getOrgAccessAdmin, setOrgAccessAdmin } from '#backend/domain/orgs/org-access.ts';
import { getOrg, postOrg, putOrg } from '#backend/domain/orgs/org-operations.ts';
import { getUsage } from '#backend/domain/quotas/get-usage.ts';
import { profileOperations } from '#backend/domain/profiles/profile-operations.ts';
import { secretOperations } from '#backend/domain/secrets/secret-operations.ts';
import { getAggregate, getAggregatePart, getAggregateRobots } from '#backend/domain/sites/get-aggregate.ts';
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
} from '#backend/domain/sites/site-operations.ts';
import { getSidekickConfig } from '#backend/domain/sites/get-sidekick.ts';
import { listSites } from '#backend/domain/sites/list-sites.ts';
import {
  deleteSiteQueryYaml,
  deleteSiteSitemapYaml,
  getSiteQueryYaml,
  getSiteSitemapYaml,
  postSiteQueryYaml,
  postSiteSitemapYaml,
  putSiteQueryYaml,
  putSiteSitemapYaml,
} from '#backend/domain/sites/site-yaml.ts';
import { LIMITS } from '#contract/limits.ts';
import type { ApiKeyOperations } from '#backend/domain/api-keys/api-key-operations.ts';
import type { SiteTokenOperations } from '#backend/domain/site-tokens/site-token-operations.ts';
import type { EventOperations } from '#backend/domain/events/event-operations.ts';
import type { RolloutOperations } from '#backend/domain/rollouts/rollout-operations.ts';
import type { statusOperations } from '#backend/domain/status/get-status.ts';
import type { CodeOperations } from '#backend/domain/code/code-operations.ts';
import type { checkEndpoints } from '#contract/check-endpoints.ts';
import type { operatorEndpoints } from '#contract/operator-endpoints.ts';
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
