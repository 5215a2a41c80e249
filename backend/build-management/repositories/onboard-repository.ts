import type { BuildManagementEndpoints } from '#contract/build-management-endpoints.ts';
import { Refusal } from '#backend/domain/errors.ts';
import { callerName } from '../context.ts';
import type { BuildOperation } from '../context.ts';
import { beginCheck } from './check-repository.ts';
import { repositoryView } from './repository-view.ts';
import { sealFor } from './sealed-texts.ts';

/** Adds a repository and begins to check that its ownership can be proven. */
export const onboardRepository: BuildOperation<BuildManagementEndpoints['onboardRepository']> = async (context, { params, body }) => {
  if (!context.rules.allowHttp && new URL(body.cloneUrl).protocol !== 'https:') throw notEncrypted();
  const key = context.newId();
  const repository = await context.store.repositories.add({
    org: params.org,
    programId: body.programId,
    name: body.name,
    cloneUrl: body.cloneUrl,
    vendor: body.vendor,
    key,
    accessToken: sealFor(context, { org: params.org, key }, 'access-token', body.accessToken),
    state: 'added',
    gitTokenHash: undefined,
    challenge: body.challenge === true ? context.newSecret() : undefined,
    created: context.now().toISOString(),
    createdBy: callerName(context),
  });
  if (repository === undefined) {
    throw new Refusal('REPOSITORY_TAKEN', `The organization ${params.org} has onboarded ${body.cloneUrl} already. Use that one.`);
  }
  beginCheck(context, repository);
  const location = `${context.rules.publicAddress}/organizations/${params.org}/repositories/${repository.id}`;
  return { status: 201, body: repositoryView(context, repository), headers: { location } };
};

function notEncrypted(): Refusal {
  const detail = 'Write the HTTPS clone address: over HTTP the access token could be read on its way.';
  return new Refusal('BODY_INVALID', `The request body is not valid at /cloneUrl: ${detail}`, {
    errors: [{ pointer: '/cloneUrl', detail }],
  });
}
