import type { BuildManagementEndpoints } from '#contract/build-management-endpoints.ts';
import type { BuildOperation } from '../context.ts';
import { findRepository } from './find-repository.ts';

/** Its secret, its webhook and its mirror go with it. */
export const removeRepository: BuildOperation<BuildManagementEndpoints['removeRepository']> = async (context, { params }) => {
  const repository = await findRepository(context, params);
  await context.store.repositories.remove(repository.id);
  context.objects.release(context.mirrors.pathOf(repository));
  await context.mirrors.remove(repository);
  return { status: 204 };
};
