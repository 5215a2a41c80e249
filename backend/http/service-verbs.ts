import type { ServiceInfo } from '#contract/service.ts';
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
    getHealth: async ({ store }) => {
      if (isStopping()) return { status: 503, body: { status: 'stopping' }, headers: { connection: 'close' } };
      try {
        await store.ping();
        return { status: 200, body: { status: 'ready' } };
      } catch {
        return { status: 503, body: { status: 'failing' } };
      }
    },
    getOpenApi: async () => ({ status: 200, body: document }),
  };
}
