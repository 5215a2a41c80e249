import { endpoint, NO_PARAMS, NO_QUERY } from './endpoint.ts';
import { Health, Live, OpenApiDocument } from './service.ts';

/** What a program says of itself to anybody. */
export const aboutProgram = {
  method: 'GET',
  params: NO_PARAMS,
  query: NO_QUERY,
  permission: 'public',
  errors: [],
  tag: 'Service',
} as const;

const probe = { ...aboutProgram, unlimited: true } as const;

/** Calls that both programs have: how whoever supervises them learns of their state, and their document. */
export const probes = {
  live: endpoint({
    ...probe,
    path: '/live',
    answers: { 200: { description: 'the process responds; nothing else is checked', media: ['application/json'], schema: Live } },
    summary: 'Check whether the process responds',
  }),
  ready: endpoint({
    ...probe,
    path: '/ready',
    answers: {
      200: { description: 'ready', media: ['application/json'], schema: Health },
      503: { description: 'stopping, overloaded, or the storage fails', media: ['application/json'], schema: Health },
    },
    summary: 'Check whether this node should get requests',
  }),
  health: endpoint({
    ...probe,
    path: '/health',
    answers: {
      200: { description: 'ready', media: ['application/json'], schema: Health },
      503: { description: 'stopping, or the storage fails', media: ['application/json'], schema: Health },
    },
    summary: 'Check whether the program is ready',
  }),
  openApi: endpoint({
    ...aboutProgram,
    path: '/openapi.json',
    answers: { 200: { description: 'this document', media: ['application/json'], schema: OpenApiDocument } },
    summary: 'OpenAPI 3.1 document',
  }),
} as const;
