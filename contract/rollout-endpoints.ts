import { z } from 'zod';
import { endpoint, FLAG, NO_QUERY, WRITE_ERRORS, WRITE_QUERY } from './endpoint.ts';
import { SiteName } from './names.ts';
import { PROFILE_WRITE_ERRORS } from './profile-endpoints.ts';
import { Rollout, RolloutInput, RolloutList, RolloutSiteList, RolloutSiteState } from './rollout.ts';
import { dryRun, json, OrgParams } from './site-endpoints.ts';

/** The identifier that the service gives a rollout. */
export const RolloutId = z.string().regex(/^[a-f0-9-]{1,64}$/, 'The identifier of a rollout holds hexadecimal digits and "-".');
const RolloutParams = OrgParams.extend({ rollout: RolloutId });
const READ_ERRORS = ['NOT_AUTHENTICATED', 'NOT_AUTHORIZED', 'ORG_NOT_FOUND'] as const;
const ONE_ERRORS = [...READ_ERRORS, 'ROLLOUT_NOT_FOUND'] as const;
const tag = 'Rollouts';
const answer = <S extends z.ZodType>(description: string, schema: S) => ({ description, media: ['application/json'] as const, schema });
const order = { method: 'POST', params: RolloutParams, query: NO_QUERY, permission: 'org:configure', outside: 'rollouts', tag } as const;
const ORDER_ERRORS = [...ONE_ERRORS, 'ROLLOUT_REFUSED', 'STORAGE_FULL'] as const;

/** Changes of many sites, one after the other, in waves (docs/contract.md 3.17). */
export const rolloutEndpoints = {
  listRollouts: endpoint({
    method: 'GET',
    path: '/config/{org}/rollouts.json',
    params: OrgParams,
    query: NO_QUERY,
    permission: 'org:read',
    answers: { 200: answer('the rollouts, newest first', RolloutList) },
    errors: READ_ERRORS,
    tag,
    summary: 'List changes of many sites of an organization',
  }),
  startRollout: endpoint({
    method: 'POST',
    path: '/config/{org}/rollouts.json',
    params: OrgParams,
    query: WRITE_QUERY,
    body: json(RolloutInput),
    permission: 'org:configure',
    answers: { 200: dryRun, 201: answer('started: the sites are changed one after the other', Rollout) },
    errors: [...PROFILE_WRITE_ERRORS, ...WRITE_ERRORS, 'PROFILE_NOT_FOUND', 'ROLLOUT_REFUSED'],
    tag,
    summary: 'Change many sites by the same edits, or a profile (`if-match`: of the profile) for the sites that extend it, in waves',
    preconditions: true,
  }),
  getRollout: endpoint({
    method: 'GET',
    path: '/config/{org}/rollouts/{rollout}.json',
    params: RolloutParams,
    query: NO_QUERY,
    permission: 'org:read',
    answers: { 200: answer('the rollout', Rollout) },
    errors: ONE_ERRORS,
    tag,
    summary: 'Read the progress of a rollout',
  }),
  listRolloutSites: endpoint({
    method: 'GET',
    path: '/config/{org}/rollouts/{rollout}/sites.json',
    params: RolloutParams,
    query: z.object({
      state: RolloutSiteState.optional(),
      /** Those that the checks found worse, or the others. */
      worse: FLAG.optional(),
      /** Those that could not be given back what they had, or the others. */
      stuck: FLAG.optional(),
      limit: z.coerce.number().int().min(1).max(1000).optional(),
      after: SiteName.optional(),
    }),
    permission: 'org:read',
    answers: {
      200: answer(
        'its sites in the order of their names, a thousand at most; a `link` header with rel="next" where there are more',
        RolloutSiteList,
      ),
    },
    errors: ONE_ERRORS,
    tag,
    summary: 'Read the result for each site of a rollout',
  }),
  stopRollout: endpoint({
    ...order,
    path: '/config/{org}/rollouts/{rollout}/stop.json',
    answers: { 200: answer('stopped: no further site is changed', Rollout) },
    errors: ORDER_ERRORS,
    summary: 'Stop a rollout',
  }),
  resumeRollout: endpoint({
    ...order,
    path: '/config/{org}/rollouts/{rollout}/resume.json',
    answers: {
      200: answer(
        'goes on with the next site, also with an undo that stopped; where all were tried, with those that were refused',
        Rollout,
      ),
    },
    errors: ORDER_ERRORS,
    summary: 'Resume a rollout that stopped',
  }),
  undoRollout: endpoint({
    ...order,
    path: '/config/{org}/rollouts/{rollout}/undo.json',
    answers: { 200: answer('its sites are restored, one after the other', Rollout) },
    errors: ORDER_ERRORS,
    summary: 'Undo a rollout on all its sites',
  }),
} as const;
