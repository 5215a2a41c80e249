import { z } from 'zod';
import { endpoint, NO_QUERY } from './endpoint.ts';
import type { MediaType } from './endpoint.ts';
import { OrgParams } from './site-endpoints.ts';

const params = OrgParams.extend({ name: z.string().regex(/^[a-z0-9._-]{1,100}$/, 'There is no such repository.') });
const GIT_ERRORS = ['GIT_TOKEN_REFUSED', 'RATE_LIMITED', 'GIT_BUSY'] as const;
const git = { params, permission: 'public', credentials: 'git', tag: 'Hosted repositories', proxies: true } as const;
const answers = <M extends MediaType>(...media: M[]) => ({ 200: { description: 'the answer of git', media } });

/**
 * Git's own calls (its smart HTTP protocol) at a repository that build management hosts. Git clients make them, by the clone
 * address; they show the access token of the repository as the password of basic credentials.
 */
export const hostedGitEndpoints = {
  gitRefs: endpoint({
    method: 'GET',
    path: '/git/{org}/{name}.git/info/refs',
    ...git,
    query: z.object({ service: z.enum(['git-upload-pack', 'git-receive-pack'], 'Use a git client that speaks the smart HTTP protocol.') }),
    answers: answers('application/x-git-upload-pack-advertisement', 'application/x-git-receive-pack-advertisement'),
    errors: GIT_ERRORS,
    summary: 'git: list the references',
  }),
  gitUploadPack: endpoint({
    method: 'POST',
    outside: 'proxy',
    path: '/git/{org}/{name}.git/git-upload-pack',
    ...git,
    query: NO_QUERY,
    answers: answers('application/x-git-upload-pack-result'),
    errors: GIT_ERRORS,
    summary: 'git: clone and fetch',
  }),
  gitReceivePack: endpoint({
    method: 'POST',
    outside: 'proxy',
    path: '/git/{org}/{name}.git/git-receive-pack',
    ...git,
    query: NO_QUERY,
    answers: answers('application/x-git-receive-pack-result'),
    errors: GIT_ERRORS,
    summary: 'git: push',
  }),
} as const;
