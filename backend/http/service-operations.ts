import type { ServiceInfo } from '#contract/service.ts';
import { probeOperations } from './health.ts';
import type { ProgramState } from './health.ts';
import type { TableOperations } from './ports.ts';
import { aliasesDocument, openApiDocument } from './openapi.ts';

/** Calls that describe the deployment itself. */
export function serviceOperations(
  info: ServiceInfo,
  publicAddress: string,
  state: ProgramState,
): Pick<TableOperations, 'getService' | 'getLive' | 'getReady' | 'getHealth' | 'getOpenApi' | 'getOpenApiAliases'> {
  const { live, ready, health } = probeOperations(state);
  return {
    getService: async () => ({ status: 200, body: info }),
    getLive: live,
    getReady: ready,
    getHealth: health,
    getOpenApi: async () => ({ status: 200, body: openApiDocument(publicAddress, info.version) }),
    getOpenApiAliases: async () => ({ status: 200, body: aliasesDocument(publicAddress, info.version) }),
  };
}
