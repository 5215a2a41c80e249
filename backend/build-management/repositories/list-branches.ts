import type { BuildManagementEndpoints } from '#contract/build-management-endpoints.ts';
import { DEFAULT_REF } from '#contract/names.ts';
import type { BuildOperation } from '../context.ts';
import { findRepository } from './find-repository.ts';
import { unreachable } from './refresh-mirror.ts';
import { accessTokenOf } from './sealed-texts.ts';

/** The branches at the vendor, `main` first. */
export const listBranches: BuildOperation<BuildManagementEndpoints['listBranches']> = async (context, { params }) => {
  const repository = await findRepository(context, params);
  const found = await context.mirrors.branches(repository, accessTokenOf(context, repository)).catch((error: unknown) => {
    throw unreachable(error);
  });
  const rank = (name: string) => (name === DEFAULT_REF ? 0 : 1);
  return { status: 200, body: { branches: found.toSorted((a, b) => rank(a.name) - rank(b.name) || (a.name < b.name ? -1 : 1)) } };
};
