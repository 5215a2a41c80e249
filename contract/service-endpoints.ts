import { endpoint } from './endpoint.ts';
import { aboutProgram, probes } from './probe-endpoints.ts';
import { ServiceInfo } from './service.ts';

export const serviceEndpoints = {
  getService: endpoint({
    ...aboutProgram,
    path: '/service.json',
    answers: {
      200: { description: 'what a client needs to know about this deployment', media: ['application/json'], schema: ServiceInfo },
    },
    summary: 'Describe this deployment',
  }),
  getLive: probes.live,
  getReady: probes.ready,
  getHealth: probes.health,
  getOpenApi: probes.openApi,
  getOpenApiAliases: endpoint({
    ...probes.openApi,
    path: '/openapi-aliases.json',
    summary: 'OpenAPI 3.1 document of the other addresses of the same calls',
  }),
  getOpenApiDryRun: endpoint({
    ...probes.openApi,
    path: '/openapi-dry-run.json',
    summary: 'OpenAPI 3.1 document of the writes as they are tried, by ?dryRun=true',
  }),
} as const;
