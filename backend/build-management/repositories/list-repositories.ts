import type { BuildManagementEndpoints } from '#contract/build-management-endpoints.ts';
import type { BuildVerb } from '../context.ts';
import { findRepository } from './find-repository.ts';
import { repositoryView } from './repository-view.ts';

export const listRepositories: BuildVerb<BuildManagementEndpoints['listRepositories']> = async (context, { params }) => {
  const { repositories } = context.store;
  const [found, programId] = await Promise.all([repositories.list(params.org), repositories.programOf(params.org)]);
  return {
    status: 200,
    body: {
      ...(programId !== undefined && { programId }),
      codeSync: context.rules.codeSync,
      repositories: found.map((one) => repositoryView(context, one)),
    },
  };
};

export const getRepository: BuildVerb<BuildManagementEndpoints['getRepository']> = async (context, { params }) => ({
  status: 200,
  body: repositoryView(context, await findRepository(context, params)),
});
