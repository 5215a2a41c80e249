import type { ServiceInfo } from '@repoless/contract/service.ts';
import { probeOperations } from './health.ts';
import type { ProgramState } from './health.ts';
import type { TableOperations } from './ports.ts';
import { aliasesDocument, dryRunDocument, lazily, openApiDocument } from './openapi.ts';

/** Calls that describe the deployment itself. */
export function serviceOperations(
  info: ServiceInfo,
  publicAddress: string,
  state: ProgramState,
): Pick<TableOperations, 'getService' | 'getLive' | 'getReady' | 'getHealth' | 'getOpenApi' | 'getOpenApiAliases' | 'getOpenApiDryRun'> {
  const { live, ready, health } = probeOperations(state);
  const openApi = lazily(() => openApiDocument(publicAddress, info.version));
  const aliases = lazily(() => aliasesDocument(publicAddress, info.version));
  const dryRun = lazily(() => dryRunDocument(publicAddress, info.version));
  return {
    getService: async () => ({ status: 200, body: info }),
    getLive: live,
    getReady: ready,
    getHealth: health,
    getOpenApi: async () => ({ status: 200, body: openApi() }),
    getOpenApiAliases: async () => ({ status: 200, body: aliases() }),
    getOpenApiDryRun: async () => ({ status: 200, body: dryRun() }),
  };
}
