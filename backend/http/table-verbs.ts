import { getLog, getSiteLog } from '#backend/domain/audit/get-log.ts';
import { historyVerbs } from '#backend/domain/history/history-verbs.ts';
import { challengeOrg } from '#backend/domain/orgs/challenge-org.ts';
import { deleteOrgGroup, getOrgGroup, listOrgGroups, setOrgGroup } from '#backend/domain/orgs/org-groups.ts';
import { addOrgUser, deleteOrgUser, getOrgUser, listOrgUsers, setOrgUser } from '#backend/domain/orgs/org-users.ts';
import { getOrg } from '#backend/domain/orgs/get-org.ts';
import { postOrg } from '#backend/domain/orgs/post-org.ts';
import { putOrg } from '#backend/domain/orgs/put-org.ts';
import { profileVerbs } from '#backend/domain/profiles/profile-verbs.ts';
import { getAggregate } from '#backend/domain/sites/get-aggregate.ts';
import { deleteRobots } from '#backend/domain/sites/delete-robots.ts';
import { deleteSiteGroup } from '#backend/domain/sites/delete-site-group.ts';
import { deleteSite } from '#backend/domain/sites/delete-site.ts';
import { getRobots } from '#backend/domain/sites/get-robots.ts';
import { getSiteGroup } from '#backend/domain/sites/get-site-group.ts';
import { getSite } from '#backend/domain/sites/get-site.ts';
import { listSites } from '#backend/domain/sites/list-sites.ts';
import { postSite } from '#backend/domain/sites/post-site.ts';
import { putSite } from '#backend/domain/sites/put-site.ts';
import { setRobots } from '#backend/domain/sites/set-robots.ts';
import { setSiteGroup } from '#backend/domain/sites/set-site-group.ts';
import type { ApiKeyVerbs } from '#backend/domain/api-keys/api-key-verbs.ts';
import type { CodeVerbs } from '#backend/domain/code/code-verbs.ts';
import type { TableVerbs } from './ports.ts';

type Configuration = Exclude<keyof TableVerbs, OtherVerb>;
type OtherVerb = keyof OtherVerbs;

/** The verbs that are made from the settings: sign-in, the relay, code sync, secrets, API keys, and what describes the service. */
export type OtherVerbs = Pick<
  TableVerbs,
  | 'login'
  | 'loginSite'
  | 'acknowledge'
  | 'profile'
  | 'logout'
  | 'keys'
  | 'exchangeToken'
  | 'authorizeDevice'
  | 'deviceToken'
  | 'devicePage'
  | 'approveDevice'
  | 'readAuthoring'
  | 'writeAuthoring'
  | 'getService'
  | 'getHealth'
  | 'getOpenApi'
  | keyof CodeVerbs
  | keyof ApiKeyVerbs
>;

/** The verbs of the domain, which need nothing but their context. */
const configuration: Pick<TableVerbs, Configuration> = {
  listSites,
  getSite,
  putSite,
  postSite,
  deleteSite,
  ...historyVerbs,
  ...profileVerbs,
  getAggregate,
  getLog,
  getSiteLog,
  getRobots,
  setRobots,
  deleteRobots,
  getSiteGroup,
  setSiteGroup,
  deleteSiteGroup,
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
};

export function tableVerbs(others: OtherVerbs): TableVerbs {
  return { ...configuration, ...others };
}
