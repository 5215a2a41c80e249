import { repositoryAddress } from './pushed.ts';
import type { Pushed, ShapedEvent } from './pushed.ts';

/** `git.push` of Azure DevOps, all resource details. */
export function azurePush(pushed: Pushed): ShapedEvent {
  const { team, repo, branch, before, after, pusher, id, time } = pushed;
  return {
    headers: { 'user-agent': 'VSServices/sandbox' },
    body: {
      subscriptionId: '00000000-0000-4000-8000-000000000001',
      notificationId: 1,
      id,
      eventType: 'git.push',
      publisherId: 'tfs',
      message: { text: `${pusher} pushed updates to ${repo}:${branch}` },
      detailedMessage: { text: `${pusher} pushed a commit to ${repo}:${branch}` },
      resource: {
        commits: [{ commitId: after, comment: `Push to ${branch}` }],
        refUpdates: [{ name: `refs/heads/${branch}`, oldObjectId: before, newObjectId: after }],
        repository: { id: 'r1', name: repo, url: repositoryAddress(pushed), defaultBranch: 'refs/heads/main', project: { name: team } },
        pushedBy: { displayName: pusher },
        pushId: 1,
        date: time.toISOString(),
      },
      resourceVersion: '1.0',
      createdDate: time.toISOString(),
    },
  };
}
