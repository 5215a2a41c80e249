import { difference } from '@repoless/contract/difference.ts';
import type { endpoints } from '@repoless/contract/endpoints.ts';
import { checkPreconditions, Refusal } from '@repoless/contract/refusal.ts';
import type { ServedCommit } from '@repoless/contract/served-code.ts';
import { dryRunOf } from '../../changes/part-calls.ts';
import { type Operation, requireUser } from '../../domain/context.ts';
import { etagOf } from '../../domain/documents.ts';
import { findOrigin } from './job-view.ts';
import type { CodeFiles, JobRunner, StoredRollBack } from './ports.ts';
import { auditSync, requireOwnCode } from './start-sync.ts';

/**
 * Serves an earlier commit of a branch to all sites on the repository, or the one that was synchronized last. Its files are stored, so
 * nothing is read from the code source (docs/decisions/code.md 8).
 */
export function serveCommit(
  runner: Pick<JobRunner, 'changed'>,
  files: Pick<CodeFiles, 'isComplete'>,
): Operation<(typeof endpoints)['serveCommit']> {
  return async (context, asked) => {
    const { params, query, body } = asked;
    const { origin } = await findOrigin(context, params);
    await requireOwnCode(context, origin, params.org);
    const { code } = context.store;
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const read = await code.commits(origin.key, params.ref);
      const before: ServedCommit | undefined = read && { served: read.served.sha, follows: read.rolledBack === undefined };
      checkPreconditions(asked, before && etagOf(before));
      const commit = body.sha === null ? read?.commits[0] : read?.commits.find(({ sha }) => sha === body.sha?.toLowerCase());
      if (read === undefined || before === undefined || commit === undefined) throw notKept(params.ref, body.sha);
      const after: ServedCommit = { served: commit.sha, follows: commit === read.commits[0] };
      const isServed = after.served === before.served && after.follows === before.follows;
      if (!isServed && !(await files.isComplete(commit.manifest))) throw notKept(params.ref, commit.sha);
      if (query.dryRun === true) return dryRunOf({ result: 'done', body: after, diff: difference(before, after) });
      if (isServed) return { result: 'done', body: after, etag: etagOf(after) };
      const rolledBack: StoredRollBack | undefined = after.follows
        ? undefined
        : { time: context.now().toISOString(), user: requireUser(context.caller).email, org: params.org };
      if (!(await code.serveCommit(read, commit, rolledBack))) continue;
      runner.changed(origin.key, params.ref, 'created');
      await auditSync(context, params, after.follows ? `follow-branch/${params.ref}` : `serve-commit/${params.ref}/${commit.sha}`);
      return { result: 'done', body: after, etag: etagOf(after) };
    }
    throw new Error('The commits of a branch changed at each attempt.');
  };
}

/** Syncs of the branch may end in between. */
const ATTEMPTS = 10;

function notKept(branch: string, commit: string | null): Refusal {
  const sentence =
    commit === null
      ? `The branch "${branch}" was never synchronised. Synchronise it first.`
      : `The files of the commit ${commit} of branch "${branch}" are not stored. Choose one of "commits" of its job.`;
  return new Refusal('COMMIT_NOT_KEPT', sentence, { data: { branch, commit: commit ?? 'none' } });
}
