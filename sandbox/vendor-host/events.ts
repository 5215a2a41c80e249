import { createHmac } from 'node:crypto';
import { z } from 'zod';

/** `Push Hook` of GitLab. */
function gitlabPush(pushed: Pushed): ShapedEvent {
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

/** `push` of GitHub Enterprise. */
function githubPush(pushed: Pushed): ShapedEvent {
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

/** `repo:push` of Bitbucket Cloud. */
function bitbucketPush(pushed: Pushed): ShapedEvent {
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

/** `git.push` of Azure DevOps, all resource details. */
function azurePush(pushed: Pushed): ShapedEvent {
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

/** The format of a webhook. `gitlab` sends its secret token, `gitlab-signed` signs with it. */
export const VendorForm = z.enum(['github-enterprise', 'bitbucket', 'gitlab', 'gitlab-signed', 'azure-devops']);
export type VendorForm = z.infer<typeof VendorForm>;

export interface SignedEvent {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const SHAPES: Readonly<Record<VendorForm, (pushed: Pushed) => ShapedEvent>> = {
  'github-enterprise': githubPush,
  bitbucket: bitbucketPush,
  gitlab: gitlabPush,
  'gitlab-signed': gitlabPush,
  'azure-devops': azurePush,
};

/** A push in the format of a vendor, signed as that vendor does. `username` is for basic credentials only. */
export function signedPush(form: VendorForm, pushed: Pushed, { secret, username }: { secret: string; username: string }): SignedEvent {
  const { headers, body } = SHAPES[form](pushed);
  const text = JSON.stringify(body);
  const signature = signatureHeaders(form, text, { secret, username, id: pushed.id, time: pushed.time });
  return { headers: { 'content-type': 'application/json', ...headers, ...signature }, body: text };
}

export function signatureHeaders(
  form: VendorForm,
  body: string,
  { secret, username, id, time }: { secret: string; username: string; id: string; time: Date },
): Record<string, string> {
  const hex = () => `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
  switch (form) {
    case 'github-enterprise':
      return { 'x-hub-signature-256': hex() };
    case 'bitbucket':
      return { 'x-hub-signature': hex() };
    case 'gitlab':
      return { 'x-gitlab-token': secret };
    case 'gitlab-signed': {
      const timestamp = String(Math.floor(time.getTime() / 1000));
      const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
      const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
      return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
    }
    case 'azure-devops':
      return { authorization: `Basic ${Buffer.from(`${username}:${secret}`).toString('base64')}` };
    default:
      return form satisfies never;
  }
}

/** A pushed branch: `before` or `after` is 40 zeros if the branch was created or deleted. */
export interface Pushed {
  readonly host: string;
  readonly team: string;
  readonly repo: string;
  readonly branch: string;
  readonly before: string;
  readonly after: string;
  readonly pusher: string;
  /** Identifier of the delivery. */
  readonly id: string;
  readonly time: Date;
}

/** The event as its vendor would send it: headers without the signature. */
interface ShapedEvent {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

export const NOTHING = '0'.repeat(40);

function repositoryAddress({ host, team, repo }: Pick<Pushed, 'host' | 'team' | 'repo'>): string {
  return `${host}/${team}/${repo}`;
}
