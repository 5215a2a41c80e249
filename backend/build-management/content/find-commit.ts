import { BranchName } from '#contract/build-management-deliveries.ts';
import { Refusal } from '#backend/domain/errors.ts';
import type { BuildContext } from '../context.ts';
import { refreshOrRefuse } from '../repositories/refresh-mirror.ts';
import type { StoredRepository } from '../store/stored-repository.ts';

/** The name by which git knows a branch or a commit of the mirror. Refuses with BRANCH_NOT_FOUND. */
export async function findCommit(
  context: BuildContext,
  repository: StoredRepository,
  ref: string,
  { within }: { readonly within: number },
): Promise<{ readonly path: string; readonly oid: string }> {
  const path = context.mirrors.pathOf(repository);
  const isCommit = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/.test(ref);
  if (!isCommit && !BranchName.safeParse(ref).success) throw notFound(ref);
  const name = isCommit ? ref : `refs/heads/${ref}`;
  // A commit never changes: where the mirror has it, nobody needs to be asked.
  const known = isCommit ? await context.objects.find(path, name).catch(() => undefined) : undefined;
  if (known !== undefined) return { path, oid: known.oid };
  await refreshOrRefuse(context, repository, within);
  const found = await context.objects.find(path, name);
  if (found === undefined) throw notFound(ref);
  return { path, oid: found.oid };
}

function notFound(ref: string): Refusal {
  return new Refusal('BRANCH_NOT_FOUND', `The repository has no branch or commit "${ref}". Choose one that it has.`);
}
