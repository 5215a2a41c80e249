import type { BuildManagementEndpoints } from '#contract/build-management-endpoints.ts';
import type { RepositoryStanding } from '#contract/build-management.ts';
import { Refusal } from '#backend/domain/errors.ts';
import type { BuildOperation } from '../context.ts';

/** A repository as the sites of its organization name it: that of another organization is not told of. */
export const getStanding: BuildOperation<BuildManagementEndpoints['getStanding']> = async (context, { params, headers }) => {
  const { org, owner, repo } = params;
  if (!context.isService(headers['authorization'])) {
    throw new Refusal('NOT_AUTHENTICATED', 'not authenticated', {
      detail: 'Send the key of the setting BUILD_MANAGEMENT_KEY as "authorization: Bearer …".',
    });
  }
  const found = await context.store.repositories.byCode(owner, repo);
  if (found?.org !== org) {
    const sentence = `The organization "${org}" has no external repository ${repo} of program ${owner}. Onboard it, or correct owner and repo.`;
    throw new Refusal('EXTERNAL_REPOSITORY_NOT_FOUND', sentence);
  }
  const { programId, id: repositoryId, name, state, problem } = found;
  const body: RepositoryStanding = { programId, repositoryId, name, state, ...(problem !== undefined && { problem }) };
  return { status: 200, body };
};
