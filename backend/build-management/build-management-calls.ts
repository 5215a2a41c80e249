import { buildManagementEndpoints } from '#contract/build-management-endpoints.ts';
import type { BuildManagementEndpointId, BuildManagementEndpoints } from '#contract/build-management-endpoints.ts';
import { bindCall } from '#backend/http/call.ts';
import type { Call } from '#backend/http/call.ts';
import { health } from '#backend/http/health.ts';
import { buildManagementDocument } from '#backend/http/openapi.ts';
import { VERSION } from '#backend/version.ts';
import { readBranch, readRaw, readTree } from './content/read-content.ts';
import type { BuildContext, BuildVerb } from './context.ts';
import { linkRepository, unlinkRepository } from './links/link-repository.ts';
import { listBranches } from './repositories/list-branches.ts';
import { getRepository, listRepositories } from './repositories/list-repositories.ts';
import { onboardRepository } from './repositories/onboard-repository.ts';
import { removeRepository } from './repositories/remove-repository.ts';
import { retryRepository } from './repositories/retry-repository.ts';
import { listDeliveries, resendDelivery, syncCode } from './webhooks/delivery-verbs.ts';
import { receiveWebhook } from './webhooks/receive-webhook.ts';
import { rotateWebhook } from './webhooks/rotate-webhook.ts';

type BuildVerbs = { readonly [Id in BuildManagementEndpointId]: BuildVerb<BuildManagementEndpoints[Id]> };

/** Every row of the table of build management with its verb. */
export function buildManagementCalls(publicAddress: string, isStopping: () => boolean): Call<BuildContext>[] {
  const document = buildManagementDocument(publicAddress, VERSION);
  const verbs: BuildVerbs = {
    getBuildManagement: async ({ rules }) => ({
      status: 200,
      body: { name: 'build-management', version: VERSION, codeSync: rules.codeSync },
    }),
    getBuildManagementHealth: ({ store }) => health(isStopping(), () => store.ping()),
    getBuildManagementOpenApi: async () => ({ status: 200, body: document }),
    listRepositories,
    getRepository,
    onboardRepository,
    retryRepository,
    removeRepository,
    linkRepository,
    unlinkRepository,
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
  return endpointIds().map((id) => callOf(id, verbs));
}

/** The cast is safe: the table is a constant whose keys are these identifiers, and nothing adds to it. */
function endpointIds(): BuildManagementEndpointId[] {
  return Object.keys(buildManagementEndpoints) as BuildManagementEndpointId[];
}

function callOf<Id extends BuildManagementEndpointId>(id: Id, verbs: BuildVerbs): Call<BuildContext> {
  return bindCall<BuildManagementEndpoints[Id], BuildContext>(buildManagementEndpoints[id], verbs[id]);
}
