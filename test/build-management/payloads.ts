import { createHmac } from 'node:crypto';
import type { GitVendor } from '@repoless/contract/build-management.ts';

/** Payloads as each vendor documents them, including members that are not read. */
const NOTHING = '0'.repeat(40);
export const AFTER = 'da1560886d4f094c3e6c9ef40349f7d38b5d27d7';
const BEFORE = '95790bf891e76fee5e1747ab589903a6a1f80f22';

export interface Sent {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface VendorForm {
  readonly title: string;
  readonly vendor: GitVendor;
  /** A push of `branch`, or its deletion, as delivery `id`. */
  push(branch: string, id: string, deleted?: boolean): Sent;
  /** A push of a tag, and an event that is not a push. */
  tag(id: string): Sent;
  other(id: string): Sent;
  sign(sent: Sent, secret: string): Sent;
}

const hmac = (body: string, secret: string) => `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
const sent = (headers: Record<string, string>, body: unknown): Sent => ({
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
});
const signed = ({ body, headers }: Sent, more: Record<string, string>): Sent => ({ body, headers: { ...headers, ...more } });

const githubHeaders = (event: string, id: string) => ({
  'x-github-event': event,
  'x-github-delivery': id,
  'x-github-hook-id': '292430182',
  'x-github-enterprise-host': 'git.example.com',
  'x-github-enterprise-version': '3.14.0',
  'user-agent': 'GitHub-Hookshot/044aadd',
});
/** Vendors write a new number into each event, so that no two have the same bytes. */
let pushes = 1557933657;
const githubBody = (ref: string, after: string) => ({
  ref,
  before: BEFORE,
  after,
  repository: {
    id: 186853002,
    name: 'Hello-World',
    full_name: 'Codertocat/Hello-World',
    owner: { name: 'Codertocat', login: 'Codertocat' },
    pushed_at: (pushes += 1),
  },
  pusher: { name: 'Codertocat', email: 'codertocat@example.com' },
  sender: { login: 'Codertocat', id: 21031067 },
  created: false,
  deleted: after === NOTHING,
  forced: false,
  base_ref: null,
  compare: 'https://git.example.com/Codertocat/Hello-World/compare/a...b',
  commits: after === NOTHING ? [] : [{ id: after, message: 'Größer ✓', added: [], removed: [], modified: ['styles.css'] }],
  head_commit: after === NOTHING ? null : { id: after },
});

const github: VendorForm = {
  title: 'GitHub Enterprise',
  vendor: 'github-enterprise',
  push: (branch, id, deleted = false) => sent(githubHeaders('push', id), githubBody(`refs/heads/${branch}`, deleted ? NOTHING : AFTER)),
  tag: (id) => sent(githubHeaders('push', id), githubBody('refs/tags/v1', AFTER)),
  other: (id) => sent(githubHeaders('ping', id), { zen: 'Design for failure.', hook_id: 30, hook: { type: 'Repository' } }),
  sign: (one, secret) => signed(one, { 'x-hub-signature-256': hmac(one.body, secret) }),
};

const bitbucketHeaders = (event: string, id: string) => ({
  'x-event-key': event,
  'x-request-uuid': id,
  'x-hook-uuid': '1d2b5f6e-0f3b-4a8a-9c0f-9d2f2a1c0b7e',
  'x-attempt-number': '1',
  'user-agent': 'Bitbucket-Webhooks/2.0',
});
const side = (type: string, name: string) => ({ type, name, target: { type: 'commit', hash: AFTER, message: 'new commit message\n' } });
const cloud = (change: Record<string, unknown>) => ({
  actor: { type: 'user', display_name: 'Emma' },
  repository: { type: 'repository', full_name: 'emmap1/MyRepo', is_private: true, updated_on: (pushes += 1) },
  push: { changes: [{ created: false, forced: false, truncated: false, commits: [], ...change }] },
});

const bitbucketCloud: VendorForm = {
  title: 'Bitbucket Cloud',
  vendor: 'bitbucket',
  push: (branch, id, deleted = false) => {
    const [now, before] = [deleted ? null : side('branch', branch), side('branch', branch)];
    return sent(bitbucketHeaders('repo:push', id), cloud({ new: now, old: before, closed: deleted }));
  },
  tag: (id) => sent(bitbucketHeaders('repo:push', id), cloud({ new: side('tag', 'v1'), old: null, closed: false })),
  other: (id) => sent(bitbucketHeaders('repo:fork', id), { actor: {}, repository: {}, fork: {} }),
  sign: (one, secret) => signed(one, { 'x-hub-signature': hmac(one.body, secret) }),
};

const dataCenter = (ref: string, branch: string, type: string) => ({
  eventKey: 'repo:refs_changed',
  date: `2023-01-13T22:26:25+1100 ${(pushes += 1)}`,
  actor: { name: 'admin', emailAddress: 'admin@example.com', id: 2, type: 'NORMAL' },
  repository: { slug: 'repository', id: 84, name: 'repository', project: { key: 'PROJECT_1' } },
  changes: [
    {
      ref: { id: ref, displayId: branch, type: ref.startsWith('refs/tags/') ? 'TAG' : 'BRANCH' },
      refId: ref,
      fromHash: BEFORE,
      toHash: type === 'DELETE' ? NOTHING : AFTER,
      type,
    },
  ],
});
const dataCenterHeaders = (event: string, id: string) => ({
  'x-event-key': event,
  'x-request-id': id,
  'user-agent': 'Atlassian HttpClient',
});

const bitbucketDataCenter: VendorForm = {
  ...bitbucketCloud,
  title: 'Bitbucket Data Center',
  push: (branch, id, deleted = false) =>
    sent(dataCenterHeaders('repo:refs_changed', id), dataCenter(`refs/heads/${branch}`, branch, deleted ? 'DELETE' : 'UPDATE')),
  tag: (id) => sent(dataCenterHeaders('repo:refs_changed', id), dataCenter('refs/tags/v1', 'v1', 'ADD')),
  other: (id) => sent(dataCenterHeaders('diagnostics:ping', id), { test: true }),
};

const gitlabHeaders = (event: string, id: string) => ({
  'x-gitlab-event': event,
  'x-gitlab-instance': 'https://gitlab.example.com',
  'x-gitlab-webhook-uuid': '02affd2d-2cba-4033-917d-ec22d5dc4b38',
  'x-gitlab-event-uuid': '13792a34-cac6-4fda-95a8-c58e00a3954e',
  'idempotency-key': id,
  'user-agent': 'GitLab/18.9.0',
});
const gitlabBody = (kind: string, ref: string, after: string) => ({
  object_kind: kind,
  event_name: kind,
  before: BEFORE,
  after,
  ref,
  ref_protected: true,
  checkout_sha: after === NOTHING ? null : after,
  message: 'Hello World',
  user_id: 4,
  user_username: 'jsmith',
  project_id: 15,
  project: { id: 15, name: 'Diaspora', path_with_namespace: 'mike/diaspora', default_branch: 'main' },
  repository: { name: 'Diaspora', visibility_level: 0 },
  commits: [{ id: after, message: 'Update Catalan translation.', added: [], modified: ['app.rb'], removed: [] }],
  total_commits_count: 1,
});

const gitlab: VendorForm = {
  title: 'GitLab with its secret token',
  vendor: 'gitlab',
  push: (branch, id, deleted = false) =>
    sent(gitlabHeaders('Push Hook', id), gitlabBody('push', `refs/heads/${branch}`, deleted ? NOTHING : AFTER)),
  tag: (id) => sent(gitlabHeaders('Tag Push Hook', id), gitlabBody('tag_push', 'refs/tags/v1', AFTER)),
  other: (id) => sent(gitlabHeaders('Issue Hook', id), { object_kind: 'issue', event_type: 'issue', user: {}, project: {} }),
  sign: (one, secret) => signed(one, { 'x-gitlab-token': secret }),
};

/** Standard Webhooks: `whsec_<base64>` signs `<id>.<timestamp>.<body>`. */
export function gitlabSignature({ body, headers }: Sent, secret: string, time: Date): Record<string, string> {
  const [id = '', timestamp] = [headers['idempotency-key'], String(Math.floor(time.getTime() / 1000))];
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
}

const gitlabSigned: VendorForm = {
  ...gitlab,
  title: 'GitLab with its signing token',
  sign: (one, secret) => signed(one, gitlabSignature(one, secret, new Date())),
};

const azureBody = (id: string, eventType: string, name: string, newObjectId: string) => ({
  subscriptionId: '9b3f3a7e-2b1d-4c57-8a29-2f1f4c1b0f9a',
  notificationId: 4,
  id,
  eventType,
  publisherId: 'tfs',
  message: { text: 'Jamal Hartnett pushed updates to Fabrikam:main' },
  detailedMessage: { text: 'Jamal Hartnett pushed a commit to Fabrikam:main' },
  resource: {
    commits: [{ commitId: newObjectId, comment: 'Fixed bug in web.config file' }],
    refUpdates: [{ name, oldObjectId: BEFORE, newObjectId }],
    repository: { id: '278d5cd2', name: 'Fabrikam', defaultBranch: 'refs/heads/main', project: { name: 'Fabrikam' } },
    pushedBy: { displayName: 'Jamal Hartnett' },
    pushId: 14,
    date: '2014-05-02T19:17:13.3309587Z',
  },
  resourceVersion: '1.0',
  createdDate: '2024-09-19T13:03:27.0379153Z',
});

const azure: VendorForm = {
  title: 'Azure DevOps',
  vendor: 'azure-devops',
  push: (branch, id, deleted = false) => sent({}, azureBody(id, 'git.push', `refs/heads/${branch}`, deleted ? NOTHING : AFTER)),
  tag: (id) => sent({}, azureBody(id, 'git.push', 'refs/tags/v1', AFTER)),
  other: (id) => sent({}, { id, eventType: 'git.pullrequest.created', publisherId: 'tfs', resource: {} }),
  sign: (one, secret) => signed(one, { authorization: `Basic ${Buffer.from(`webhook:${secret}`).toString('base64')}` }),
};

export const VENDOR_FORMS: readonly VendorForm[] = [github, bitbucketCloud, bitbucketDataCenter, gitlab, gitlabSigned, azure];
export const GITHUB = github;
export const BITBUCKET = bitbucketCloud;
export const GITLAB_SIGNED = gitlabSigned;
