import { commandLine as messages } from '@repoless/core/messages/en/command-line.ts';
import { failureOf } from '@repoless/core/run/failures.ts';
import { retry } from '@repoless/core/run/retry.ts';
import { type CliContext, CommandFailure, type CommandResult, type Options, UsageProblem } from '../cli-context.ts';
import { failureLine } from '../explain.ts';
import { prepareSync } from '../prepare-sync.ts';

/** Follows the branch again. */
const LATEST = 'latest';

/**
 * Serves an earlier commit of the branch on all sites of the repository until further notice, or (`latest`) follows the branch again.
 * Nothing is synchronized.
 */
export async function serveCommit(context: CliContext, options: Options, commit: string): Promise<CommandResult> {
  const { organization, ref, groups, port, wait } = await prepareSync(context, options);
  const [group, ...others] = groups;
  if (group === undefined || others.length > 0)
    throw new UsageProblem(messages.sync.oneRepository(groups.map(({ owner, repo }) => `${owner}/${repo}`)));
  const { owner, repo, sites } = group;
  const place = { org: organization, site: sites[0] ?? '', ref };
  const served = await retry({ ports: { wait }, signal: context.signal, onWaiting: () => undefined }, () =>
    port.serve(place, commit === LATEST ? null : commit),
  );
  if (served.state !== 'known') {
    const failure = failureOf(served);
    const status = failure.problem?.code === 'COMMIT_NOT_KEPT' ? await port.status(place) : undefined;
    const kept = status?.state === 'known' ? (status.value.commits ?? []).map(({ sha }) => sha) : [];
    throw new CommandFailure([failureLine(failure), ...(kept.length === 0 ? [] : [messages.sync.kept(kept)])].join('\n'));
  }
  const { served: sha, follows } = served.value;
  const about = { organization, owner, repo, branch: options.branch, sites, served: sha, follows };
  const where = `${owner}/${repo}, ${options.branch}`;
  return { code: 0, json: about, lines: [follows ? messages.sync.follows(where, sha) : messages.sync.rolledBack(where, sha)] };
}
