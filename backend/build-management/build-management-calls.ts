import {
  type BuildManagementEndpointId,
  buildManagementEndpoints,
  type BuildManagementEndpoints,
} from '@repoless/contract/build-management-endpoints.ts';
import type { Endpoint } from '@repoless/contract/endpoint.ts';
import type { ErrorCode } from '@repoless/contract/errors.ts';
import { VERSION } from '@repoless/contract/version.ts';
import { Refusal } from '@repoless/contract/refusal.ts';
import { buildManagementDocument, lazily } from '../http/openapi.ts';
import { bindCall, type Call } from '../http/parse-request.ts';
import { probeOperations, type ProgramState } from '../http/service-operations.ts';
import { admit, readBranch, readRaw, readTree } from './content/read-content.ts';
import type { BuildContext, BuildOperation } from './context.ts';
import { createSite, linkRepository, unlinkRepository } from './repositories/link-repository.ts';
import {
  findRepository,
  getRepository,
  getStanding,
  listBranches,
  listRepositories,
  onboardRepository,
  removeRepository,
  retryRepository,
} from './repositories/repository-operations.ts';
import { listDeliveries, resendDelivery, syncCode } from './webhooks/delivery-operations.ts';
import { receiveWebhook, rotateWebhook } from './webhooks/receive-webhook.ts';

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

/** A repository may be removed while a call works on it: a resulting failure is refused like a call after the removal. */
function unlessRemoved<E extends Endpoint>(operation: BuildOperation<E>): BuildOperation<E> {
  return async (context, input) => {
    try {
      return await operation(context, input);
    } catch (error) {
      if (error instanceof Refusal && !MISSING.has(error.code)) throw error;
      const { org, repository, owner, repo }: Readonly<Record<string, unknown>> = { ...input.params };
      if (typeof org === 'string' && typeof repository === 'string') await findRepository(context, { org, repository });
      else if (typeof org !== 'string' && typeof owner === 'string' && typeof repo === 'string')
        await admit(context, { owner, repo }, input.headers['authorization']);
      throw error;
    }
  };
}

/** Codes for missing code of a removed repository. */
const MISSING: ReadonlySet<ErrorCode> = new Set(['FILE_NOT_FOUND', 'BRANCH_NOT_FOUND']);
