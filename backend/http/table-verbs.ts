import { getVersion } from '#backend/domain/history/get-version.ts';
import { listVersions } from '#backend/domain/history/list-versions.ts';
import { challengeOrg } from '#backend/domain/orgs/challenge-org.ts';
import { getOrg } from '#backend/domain/orgs/get-org.ts';
import { putOrg } from '#backend/domain/orgs/put-org.ts';
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
import type { CodeVerbs } from '#backend/domain/code/code-verbs.ts';
import type { TableVerbs } from './ports.ts';

type Configuration = Exclude<keyof TableVerbs, OtherVerb>;
type OtherVerb = keyof OtherVerbs;

/** The verbs that are made from the settings: sign-in, the relay, code sync, secrets, and what describes the service. */
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
>;

/** The verbs of the domain, which need nothing but their context. */
const configuration: Pick<TableVerbs, Configuration> = {
  listSites,
  getSite,
  putSite,
  postSite,
  deleteSite,
  listVersions,
  getVersion,
  getRobots,
  setRobots,
  deleteRobots,
  getSiteGroup,
  setSiteGroup,
  deleteSiteGroup,
  getOrg,
  putOrg,
  postOrg: (context, input) => putOrg(context, { ...input }),
  challengeOrg,
};

export function tableVerbs(others: OtherVerbs): TableVerbs {
  return { ...configuration, ...others };
}
