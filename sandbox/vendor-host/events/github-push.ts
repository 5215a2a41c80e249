import { NOTHING, repositoryAddress } from './pushed.ts';
import type { Pushed, ShapedEvent } from './pushed.ts';

/** `push` of GitHub Enterprise. */
export function githubPush(pushed: Pushed): ShapedEvent {
  const { team, repo, branch, before, after, pusher, id, time } = pushed;
  const address = repositoryAddress(pushed);
  const isDeleted = after === NOTHING;
  const commit = { id: after, message: `Push to ${branch}`, timestamp: time.toISOString(), url: `${address}/commit/${after}` };
  return {
    headers: { 'x-github-event': 'push', 'x-github-delivery': id, 'user-agent': 'GitHub-Hookshot/sandbox' },
    body: {
      ref: `refs/heads/${branch}`,
      before,
      after,
      created: before === NOTHING,
      deleted: isDeleted,
      forced: false,
      base_ref: null,
      compare: `${address}/compare/${before.slice(0, 12)}...${after.slice(0, 12)}`,
      commits: isDeleted ? [] : [commit],
      head_commit: isDeleted ? null : commit,
      repository: {
        id: 1,
        name: repo,
        full_name: `${team}/${repo}`,
        private: true,
        owner: { name: team, login: team },
        html_url: address,
        clone_url: `${address}.git`,
        default_branch: 'main',
        pushed_at: Math.floor(time.getTime() / 1000),
      },
      pusher: { name: pusher, email: pusher },
      sender: { login: pusher, type: 'User' },
    },
  };
}
