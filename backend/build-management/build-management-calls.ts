import { buildManagementEndpoints } from '@repoless/contract/build-management-endpoints.ts';
import type { BuildManagementEndpointId, BuildManagementEndpoints } from '@repoless/contract/build-management-endpoints.ts';
import { bindCall } from '../http/call.ts';
import type { Call } from '../http/call.ts';
import { probeOperations } from '../http/health.ts';
import type { ProgramState } from '../http/health.ts';
import { buildManagementDocument, lazily } from '../http/openapi.ts';
import { VERSION } from '@repoless/contract/version.ts';
import { readBranch, readRaw, readTree } from './content/read-content.ts';
import type { BuildContext, BuildOperation } from './context.ts';
import { createSite } from './one-click/create-site.ts';
import { linkRepository, unlinkRepository } from './links/link-repository.ts';
import {
  getRepository,
  getStanding,
  listBranches,
  listRepositories,
  onboardRepository,
  removeRepository,
  retryRepository,
} from './repositories/repository-operations.ts';
import { unlessRemoved } from './repositories/unless-removed.ts';
import { listDeliveries, resendDelivery, syncCode } from './webhooks/delivery-operations.ts';
import { receiveWebhook } from './webhooks/receive-webhook.ts';
import { rotateWebhook } from './webhooks/rotate-webhook.ts';

type BuildOperations = { readonly [Id in BuildManagementEndpointId]: BuildOperation<BuildManagementEndpoints[Id]> };

/** Every row of the table of build management with its operation. */
export function buildManagementCalls(publicAddress: string, state: ProgramState): Call<BuildContext>[] {
  const { live, ready, health } = probeOperations(state);
  const openApi = lazily(() => buildManagementDocument(publicAddress, VERSION));
  const operations: BuildOperations = {
    getBuildManagement: async ({ rules }) => ({
      status: 200,
      body: { name: 'build-management', version: VERSION, codeSync: rules.codeSync },
    }),
    getBuildManagementLive: live,
    getBuildManagementReady: ready,
    getBuildManagementHealth: health,
    getBuildManagementOpenApi: async () => ({ status: 200, body: openApi() }),
    listRepositories,
    getRepository,
    getStanding,
    onboardRepository,
    retryRepository,
    removeRepository,
    linkRepository,
    unlinkRepository,
    createSite,
    rotateWebhook,
    listBranches,
    syncCode,
    listDeliveries,
    resendDelivery,
    receiveWebhook,
    readRaw,
    readBranch,
    readTree,
  };
  return endpointIds().map((id) => callOf(id, operations));
}

/** The cast is safe: the table is a constant with exactly these keys. */
function endpointIds(): BuildManagementEndpointId[] {
  return Object.keys(buildManagementEndpoints) as BuildManagementEndpointId[];
}

function callOf<Id extends BuildManagementEndpointId>(id: Id, operations: BuildOperations): Call<BuildContext> {
  return bindCall<BuildManagementEndpoints[Id], BuildContext>(buildManagementEndpoints[id], unlessRemoved(operations[id]));
}
