import { z } from 'zod';
import { GitBranch, GitTree } from './build-management-deliveries.ts';
import { endpoint, NO_QUERY } from './endpoint.ts';

const segment = z.string().regex(/^[a-zA-Z0-9_.-]+$/, 'Use the program and the number of a repository.');
const ContentParams = z.object({ owner: segment, repo: segment });
const content = { query: NO_QUERY, permission: 'public', credentials: 'repository', tag: 'Repository content' } as const;
const CONTENT_ERRORS = ['REPOSITORY_SECRET_REFUSED', 'REPOSITORY_UNREACHABLE', 'BRANCH_NOT_FOUND'] as const;

function json<S extends z.ZodType>(schema: S, description: string) {
  return { description, media: ['application/json'], schema } as const;
}

/** The raw and API addresses of build management (docs/contract.md 7.5), for the holder of a repository's current secret. */
export const repositoryContentEndpoints = {
  readRaw: endpoint({
    method: 'GET',
    path: '/raw/{owner}/{repo}/{ref}/{path*}',
    params: ContentParams.extend({ ref: z.string().min(1).max(255), path: z.string().min(1) }),
    ...content,
    answers: {
      200: { description: 'the bytes of the file', media: ['application/octet-stream'] },
      304: { description: 'unchanged: `if-none-match` names its etag' },
    },
    errors: [...CONTENT_ERRORS, 'FILE_NOT_FOUND', 'FILE_TOO_LARGE'],
    summary: 'Read a file of a branch or commit',
  }),
  readBranch: endpoint({
    method: 'GET',
    path: '/api/repos/{owner}/{repo}/branches/{branch*}',
    params: ContentParams.extend({ branch: z.string().min(1).max(255) }),
    ...content,
    answers: { 200: json(GitBranch, 'the branch with its commit') },
    errors: CONTENT_ERRORS,
    summary: 'Read a branch',
  }),
  readTree: endpoint({
    method: 'GET',
    path: '/api/repos/{owner}/{repo}/git/trees/{sha*}',
    params: ContentParams.extend({ sha: z.string().min(1).max(255) }),
    ...content,
    query: z.object({ recursive: z.string().optional() }),
    answers: { 200: json(GitTree, 'the files of a commit, tree or branch') },
    errors: CONTENT_ERRORS,
    summary: 'Read a tree',
  }),
} as const;
