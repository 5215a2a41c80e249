import type { BuildManagementEndpoints } from '#contract/build-management-endpoints.ts';
import type { BuildOperation } from '../context.ts';
import { requireExternal } from '../hosting/kinds.ts';
import { beginCheck } from './check-repository.ts';
import { findRepository } from './find-repository.ts';
import { repositoryView } from './repository-view.ts';
import { sealFor } from './sealed-texts.ts';

/** Checks a repository from the beginning, with a new access token where one is given. Link and webhook stay. */
export const retryRepository: BuildOperation<BuildManagementEndpoints['retryRepository']> = async (context, { params, body }) => {
  const repository = await findRepository(context, params);
  requireExternal(repository, 'There is nothing to check; make a new access token where it needs one.');
  const token = body?.accessToken;
  await context.store.repositories.change(repository.id, {
    state: 'added',
    problem: null,
    attempt: repository.attempt + 1,
    last_modified: context.now().toISOString(),
    ...(token !== undefined && { access_token: sealFor(context, repository, 'access-token', token) }),
  });
  const begun = await findRepository(context, params);
  beginCheck(context, begun);
  return { status: 202, body: repositoryView(context, begun) };
};
