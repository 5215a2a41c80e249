import { NOTHING, repositoryAddress } from './pushed.ts';
import type { Pushed, ShapedEvent } from './pushed.ts';

/** `Push Hook` of GitLab. */
export function gitlabPush(pushed: Pushed): ShapedEvent {
  const { host, team, repo, branch, before, after, pusher, id } = pushed;
  const address = repositoryAddress(pushed);
  return {
    headers: {
      'x-gitlab-event': 'Push Hook',
      'x-gitlab-instance': host,
      'x-gitlab-webhook-uuid': '02affd2d-2cba-4033-917d-ec22d5dc4b38',
      'x-gitlab-event-uuid': id,
      'idempotency-key': id,
      'user-agent': 'GitLab/sandbox',
    },
    body: {
      object_kind: 'push',
      event_name: 'push',
      before,
      after,
      ref: `refs/heads/${branch}`,
      ref_protected: branch === 'main',
      checkout_sha: after === NOTHING ? null : after,
      user_username: pusher,
      user_email: '',
      project_id: 1,
      project: { id: 1, name: repo, path_with_namespace: `${team}/${repo}`, git_http_url: `${address}.git`, default_branch: 'main' },
      commits: [],
      total_commits_count: after === NOTHING ? 0 : 1,
      repository: { name: repo, url: `${address}.git`, homepage: address, visibility_level: 0 },
    },
  };
}
