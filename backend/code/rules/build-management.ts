import type { endpoints } from '@repoless/contract/endpoints.ts';
import { DEFAULT_REF } from '@repoless/contract/names.ts';
import type { Context } from '../../domain/context.ts';
import { Refusal } from '../../domain/errors.ts';
import { requestedBranch } from '../jobs/require-branch.ts';
import type { SealedValue } from '@repoless/contract/sealed-value.ts';
import type { Operation } from '../../domain/operation.ts';
import { requireBuildManagement } from './build-management-key.ts';
import { originOf } from './code-origin.ts';
import type { CodeOrigin } from './code-origin.ts';
import type { JobRunner } from './ports.ts';
import { forgetBranch, syncPushed } from './pushes.ts';
import { addRepositoryLog } from './add-repository-log.ts';

interface LinkRequest {
  readonly params: { readonly owner: string; readonly repo: string; readonly ref: string };
  readonly query: { readonly branch?: string | undefined; readonly org?: string | undefined };
  readonly headers: Readonly<Record<string, string | undefined>>;
}

type Operations = { readonly [Id in 'pushed' | 'branchDeleted' | 'addRepositoryLog']: Operation<(typeof endpoints)[Id]> };

/** The entrance of build management: it is known by the key of the settings; without one it is shut. */
export function buildManagementOperations(runner: Pick<JobRunner, 'wake' | 'changed'>, key: SealedValue | undefined): Operations {
  const admitted = async (context: Context, { params, query, headers }: LinkRequest) => {
    requireBuildManagement(key, headers['authorization']);
    const branch = requestedBranch(params.ref, query.branch);
    const origins = await originsOf(context, `byogit:${params.owner}/${params.repo}`, query.org);
    return { origins, branch, user: 'build-management', ...(query.org !== undefined && { org: query.org }) };
  };
  return {
    pushed: async (context, input) => ({ result: 'accepted', body: await syncPushed(context, runner, await admitted(context, input)) }),
    branchDeleted: async (context, input) => {
      const push = await admitted(context, input);
      if (input.params.ref === DEFAULT_REF) throw new Refusal('BRANCH_PROTECTED', `The code of "${DEFAULT_REF}" is never removed.`);
      return { result: 'done', body: await forgetBranch(context, runner, push) };
    },
    addRepositoryLog: addRepositoryLog(key),
  };
}

/**
 * The different origins of a repository: one for each organization and pair of addresses. In: the organization whose repository it is; without it,
 * those of whatever organization names it. Refuses with REPOSITORY_UNKNOWN.
 */
async function originsOf(context: Context, repository: string, owner: string | undefined): Promise<CodeOrigin[]> {
  const origins = new Map<string, CodeOrigin>();
  for (const { org, aggregate } of await context.store.reads.sitesOfRepository(repository, owner)) {
    const origin = originOf(org, aggregate.code);
    if (origin !== undefined) origins.set(origin.key, origin);
  }
  if (origins.size === 0) throw new Refusal('REPOSITORY_UNKNOWN', 'No site uses this repository. Register one that does, then push again.');
  return [...origins.values()];
}
