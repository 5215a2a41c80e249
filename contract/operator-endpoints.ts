import { endpoint, NO_PARAMS, NO_QUERY } from './endpoint.ts';
import { ServiceState } from './service-state.ts';

/** For operators. */
export const operatorEndpoints = {
  operatorPage: endpoint({
    method: 'GET',
    path: '/admin',
    params: NO_PARAMS,
    query: NO_QUERY,
    // Callers who are not signed in are redirected to the sign-in; others than operators get a page that says so.
    permission: 'public',
    answers: {
      200: { description: 'the state of the service as a page, for operators', media: ['text/html'] },
      302: { description: 'not signed in: redirects to the sign-in, and back' },
      403: { description: 'a page that says so to everybody who is not an operator', media: ['text/html'] },
    },
    errors: ['STORAGE_UNAVAILABLE'],
    tag: 'Service',
    summary: 'The page for operators',
  }),
  getServiceState: endpoint({
    method: 'GET',
    path: '/admin/state',
    params: NO_PARAMS,
    query: NO_QUERY,
    permission: 'operator',
    answers: { 200: { description: 'nodes, jobs, queues, failures and quotas', media: ['application/json'], schema: ServiceState } },
    errors: ['NOT_AUTHENTICATED', 'NOT_AUTHORIZED', 'STORAGE_UNAVAILABLE'],
    tag: 'Service',
    summary: 'The state of the service, for operators',
  }),
} as const;
