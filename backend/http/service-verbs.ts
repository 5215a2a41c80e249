import type { ServiceInfo } from '#contract/service.ts';
import { health } from './health.ts';
import type { TableVerbs } from './ports.ts';
import { openApiDocument } from './openapi.ts';

/** Calls that describe the deployment itself. `isStopping`: the service ends and takes no new work. */
export function serviceVerbs(
  info: ServiceInfo,
  publicAddress: string,
  isStopping: () => boolean,
): Pick<TableVerbs, 'getService' | 'getHealth' | 'getOpenApi'> {
  const document = openApiDocument(publicAddress, info.version);
  return {
    getService: async () => ({ status: 200, body: info }),
    getHealth: ({ store }) => health(isStopping(), () => store.ping()),
    getOpenApi: async () => ({ status: 200, body: document }),
  };
}
