import type { assistantEndpoints } from '@repoless/contract/assistant.ts';
import type { authoringEndpoints } from '@repoless/contract/authoring.ts';
import { dryRun, ProfileParams, SiteParams } from '@repoless/contract/endpoint-parts.ts';
import { endpoint, type Endpoint, NO_QUERY, WRITE_QUERY } from '@repoless/contract/endpoint.ts';
import { type EndpointId, type Endpoints, endpoints, profilePartEndpoints, sitePartEndpoints } from '@repoless/contract/endpoints.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import type { operatorEndpoints } from '@repoless/contract/operator.ts';
import type { serviceEndpoints } from '@repoless/contract/service.ts';
import type { sessionEndpoints } from '@repoless/contract/session.ts';
import type { checkEndpoints } from '@repoless/contract/site-check.ts';
import { PROFILE_PART_NAMES, type ProfilePart, SITE_PART_NAMES, type SitePart } from '@repoless/contract/site.ts';
import { z } from 'zod';
import type { ApiKeyOperations } from '../access/api-key-operations.ts';
import type { SiteTokenOperations } from '../access/site-token-operations.ts';
import { checkCode, type CodeOperations } from '../code/rules/code-operations.ts';
import { type AnswerBudget, createAnswerBudget } from '../domain/answer-budget.ts';
import type { Operation } from '../domain/context.ts';
import { Refusal } from '@repoless/contract/refusal.ts';
import type { EventOperations } from '../events/rules/event-operations.ts';
import { getLog, getPublicLog, getSiteLog, verifyLog } from '../history/audit/get-log.ts';
import { historyOperations } from '../history/history-operations.ts';
import { challengeOrg } from '../orgs/claim-org.ts';
import * as orgOperations from '../orgs/org-operations.ts';
import * as orgUserOperations from '../orgs/org-users.ts';
import { getProfilePart, profileOperations, removeProfilePart, setProfilePart } from '../profiles/profile-operations.ts';
import type { RolloutOperations } from '../rollouts/rules/rollout-operations.ts';
import { secretOperations } from '../secrets/secret-operations.ts';
import { getAggregate, getAggregatePart, getAggregateRobots, getSidekickConfig, listSites } from '../sites/find-site.ts';
import type { statusOperations } from '../sites/get-status.ts';
import * as siteOperations from '../sites/site-operations.ts';
import type { HttpOperation } from './answer.ts';
import { bindCall, type Call, parseParams } from './parse-request.ts';

export type TableOperations = { readonly [Id in EndpointId]: Operation<Endpoints[Id]> | HttpOperation<Endpoints[Id]> };

type OtherOperations = Pick<
  TableOperations,
  | keyof typeof sessionEndpoints
  | keyof typeof authoringEndpoints
  | keyof typeof assistantEndpoints
  | keyof typeof serviceEndpoints
  | keyof typeof operatorEndpoints
  | keyof typeof checkEndpoints
  | keyof CodeOperations
  | keyof ApiKeyOperations
  | keyof SiteTokenOperations
  | keyof EventOperations
  | keyof RolloutOperations
  | keyof ReturnType<typeof statusOperations>
>;

/** The operations that need only their context. `budget`: for all organizations' large answers until they are sent. */
const configurationOperations = (budget: AnswerBudget): Omit<TableOperations, keyof OtherOperations> => ({
  ...siteOperations,
  ...orgOperations,
  ...orgUserOperations,
  ...historyOperations(budget),
  ...profileOperations,
  ...secretOperations,
  listSites: listSites(budget),
  getSidekickConfig,
  getAggregate,
  getAggregateRobots,
  getAggregatePart,
  checkCode,
  getLog,
  getSiteLog,
  getPublicLog,
  verifyLog: verifyLog(),
  challengeOrg,
});

export function tableOperations(others: OtherOperations): TableOperations {
  return { ...configurationOperations(createAnswerBudget(LIMITS.answerBytes)), ...others };
}

type Rows = typeof sitePartEndpoints;
type ProfileRows = typeof profilePartEndpoints;

export function tableCalls(operations: TableOperations): Call[] {
  return [
    ...endpointIds().map((id) => callOf(id, operations)),
    ...SITE_PART_NAMES.flatMap((part) => partCalls(part)),
    ...PROFILE_PART_NAMES.flatMap((part) => profilePartCalls(part)),
  ];
}

/** The cast is safe: the table is a constant with exactly these keys. */
function endpointIds(): EndpointId[] {
  return Object.keys(endpoints) as EndpointId[];
}

function callOf<Id extends EndpointId>(id: Id, operations: TableOperations): Call {
  return bindCall<Endpoints[Id]>(endpoints[id], operations[id]);
}

function partCalls<P extends SitePart>(part: P): Call[] {
  const { get, set, remove }: Rows[P] = sitePartEndpoints[part];
  return [
    bindCall<Rows[P]['get']>(get, siteOperations.getSitePart(part)),
    bindCall<Rows[P]['set']>(set, siteOperations.setSitePart(part)),
    bindCall<Rows[P]['remove']>(remove, siteOperations.removeSitePart(part)),
  ];
}

function profilePartCalls<P extends ProfilePart>(part: P): Call[] {
  const { get, set, remove }: ProfileRows[P] = profilePartEndpoints[part];
  return [
    bindCall<ProfileRows[P]['get']>(get, getProfilePart(part)),
    bindCall<ProfileRows[P]['set']>(set, setProfilePart(part)),
    bindCall<ProfileRows[P]['remove']>(remove, removeProfilePart(part)),
  ];
}

const ofSite = {
  path: '/config/{org}/sites/{site}/{part*}',
  params: SiteParams.extend({ part: z.string() }),
  tag: 'Sites',
  summary: 'A part that no site has',
} as const;
const ofProfile = {
  path: '/config/{org}/profiles/{profile}/{part*}',
  params: ProfileParams.extend({ part: z.string() }),
  tag: 'Profiles',
  summary: 'A part that no profile has',
} as const;

/** Calls for parts that no site or profile has: only callers who may read or write it learn which parts exist. */
export function unknownPartCalls(): Call<unknown>[] {
  return [
    refusedPart(endpoint({ ...ofSite, ...READ, permission: 'config:read' }), 'site', SITE_PART_NAMES),
    ...WRITES.map((method) => refusedPart(endpoint({ ...ofSite, ...WRITE, method, permission: 'config:write' }), 'site', SITE_PART_NAMES)),
    refusedPart(endpoint({ ...ofProfile, ...READ, permission: 'org:read' }), 'profile', PROFILE_PART_NAMES),
    ...WRITES.map((method) =>
      refusedPart(endpoint({ ...ofProfile, ...WRITE, method, permission: 'org:configure' }), 'profile', PROFILE_PART_NAMES),
    ),
  ];
}

const WRITES = ['POST', 'PUT', 'DELETE'] as const;

const errors = ['PROPERTY_UNKNOWN'] as const;
const READ = { method: 'GET', query: NO_QUERY, answers: {}, errors } as const;
const WRITE = { query: WRITE_QUERY, answers: { 200: dryRun }, errors, preconditions: true } as const;

/** The rest of such a call is ignored. */
function refusedPart(row: Endpoint, noun: string, parts: readonly string[]): Call<unknown> {
  return {
    row,
    params: (found) => parseParams(row.params, found),
    run: async (_, { params }) => {
      const name = String(params['part']).replace(/\.json$/, '');
      throw new Refusal('PROPERTY_UNKNOWN', `A ${noun} has no part "${name}". Its parts are ${parts.join(', ')}.`, {
        data: { part: name },
      });
    },
  };
}
