import { z } from 'zod';
import { endpoint, NO_PARAMS, NO_QUERY } from './endpoint.ts';
import { Health, ServiceInfo } from './service.ts';

export const serviceEndpoints = {
  getService: endpoint({
    method: 'GET',
    path: '/service.json',
    params: NO_PARAMS,
    query: NO_QUERY,
    permission: 'public',
    answers: { 200: { description: 'what a client must know of this deployment', media: ['application/json'], schema: ServiceInfo } },
    errors: [],
    tag: 'Service',
    summary: 'Describe this deployment',
  }),
  getHealth: endpoint({
    method: 'GET',
    path: '/health',
    params: NO_PARAMS,
    query: NO_QUERY,
    permission: 'public',
    answers: {
      200: { description: 'ready', media: ['application/json'], schema: Health },
      503: { description: 'stopping, or the storage fails', media: ['application/json'], schema: Health },
    },
    errors: [],
    tag: 'Service',
    summary: 'Is the service ready',
  }),
  getOpenApi: endpoint({
    method: 'GET',
    path: '/openapi.json',
    params: NO_PARAMS,
    query: NO_QUERY,
    permission: 'public',
    answers: { 200: { description: 'this document', media: ['application/json'], schema: z.looseObject({ openapi: z.string() }) } },
    errors: [],
    tag: 'Service',
    summary: 'OpenAPI 3.1 document',
  }),
} as const;
