import { BranchName } from '@repoless/contract/build-management-deliveries.ts';
import { branchProblem, DEFAULT_REF, hostLabelProblem, nameProblem, sanitizeRef } from '@repoless/contract/names.ts';
import type { CodeOrigin } from '../rules/code-origin.ts';
import type { BranchProbe } from '../rules/ports.ts';
import type { Context } from '../../domain/context.ts';
import { Refusal } from '../../domain/errors.ts';
import type { SiteName } from '../../sites/check-site.ts';

interface BranchRequest {
  /** As addresses name it. */
  readonly ref: string;
  /** As the repository does. */
  readonly branch: string;
  /** The organization whose call it is. */
  readonly org: string;
}

/** The branch of a call, as the repository names it: that of the query, else that of the address. Refuses where they differ. */
export function requestedBranch(ref: string, named: string | undefined): string {
  const problem = nameProblem('branch', ref);
  if (problem !== undefined) throw new Refusal('NAME_INVALID', problem);
  if (named === undefined || named === ref) return ref;
  if (!BranchName.safeParse(named).success) throw new Refusal('QUERY_INVALID', `"${named}" is not a valid name of a branch in git.`);
  const written = sanitizeRef(named);
  if (written === '') throw new Refusal('QUERY_INVALID', branchProblem(named));
  if (written !== ref) throw new Refusal('QUERY_INVALID', `${branchProblem(named)} This address says "${ref}".`);
  return named;
}

/** Refuses a branch for which the site has no host. */
export function refuseLongLabel({ org, site, ref }: SiteName & { readonly ref: string }): void {
  const problem = hostLabelProblem(ref, site, org);
  if (problem !== undefined) throw new Refusal('HOST_LABEL_TOO_LONG', problem);
}

/**
 * Refuses the sync of a branch that its repository does not have. Where the repository cannot be asked
 * just now, `main` and what is served already are synchronised all the same: their job waits and says for what. Where it shows
 * itself to nobody without the right secret, the job says so.
 */
export async function requireBranch({ store }: Context, look: BranchProbe, origin: CodeOrigin, asked: BranchRequest): Promise<void> {
  const [latest] = await store.code.jobs(origin.key, asked.ref, 1);
  if (latest !== undefined && latest.record.state !== 'stopped') return;
  const found = await look(origin, asked);
  if (found.state === 'found' || found.state === 'refused') return;
  if (found.state === 'missing') throw new Refusal('BRANCH_NOT_FOUND', found.sentence, { data: { branch: asked.branch } });
  if (asked.ref === DEFAULT_REF || (await store.code.branch(origin.key, asked.ref)) !== undefined) return;
  const sentence = `${found.sentence} It is unknown whether the branch "${asked.branch}" exists. Try again in a minute.`;
  throw new Refusal(origin.type === 'github' ? 'CODE_HOST_UNREACHABLE' : 'REPOSITORY_UNREACHABLE', sentence, { retryAfter: 60 });
}
