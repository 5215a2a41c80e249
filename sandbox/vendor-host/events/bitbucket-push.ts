import { NOTHING, repositoryAddress } from './pushed.ts';
import type { Pushed, ShapedEvent } from './pushed.ts';

/** `repo:push` of Bitbucket Cloud. */
export function bitbucketPush(pushed: Pushed): ShapedEvent {
  const { team, repo, branch, before, after, pusher, id, time } = pushed;
  const side = (hash: string) =>
    hash === NOTHING
      ? null
      : {
          type: 'branch',
          name: branch,
          target: { type: 'commit', hash, date: time.toISOString(), message: `Push to ${branch}` },
          links: { html: { href: `${repositoryAddress(pushed)}/branch/${branch}` } },
        };
  return {
    headers: {
      'x-event-key': 'repo:push',
      'x-request-uuid': id,
      'x-hook-uuid': '7e7e7e7e-0000-4000-8000-000000000001',
      'x-attempt-number': '1',
      'user-agent': 'Bitbucket-Webhooks/2.0',
    },
    body: {
      actor: { type: 'user', display_name: pusher },
      repository: { type: 'repository', name: repo, full_name: `${team}/${repo}`, is_private: true },
      push: {
        changes: [
          {
            old: side(before),
            new: side(after),
            created: before === NOTHING,
            closed: after === NOTHING,
            forced: false,
            truncated: false,
            commits: [],
          },
        ],
      },
    },
  };
}
