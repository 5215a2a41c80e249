import type { BuildManagementEndpoints } from '#contract/build-management-endpoints.ts';
import type { BuildOperation } from '../context.ts';
import { findRepository } from './find-repository.ts';
import { repositoryView } from './repository-view.ts';

export const listRepositories: BuildOperation<BuildManagementEndpoints['listRepositories']> = async (context, { params }) => {
  const { repositories } = context.store;
  const found = await repositories.list(params.org);
  return {
    status: 200,
    body: {
      codeSync: context.rules.codeSync,
      repositories: found.map((one) => repositoryView(context, one)),
    },
  };
};

export const getRepository: BuildOperation<BuildManagementEndpoints['getRepository']> = async (context, { params }) => ({
  status: 200,
  body: repositoryView(context, await findRepository(context, params)),
});
