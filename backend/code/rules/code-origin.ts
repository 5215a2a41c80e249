import { type CodeSource, externalSource } from '@repoless/contract/code-source.ts';
import type { ErrorCode } from '@repoless/contract/errors.ts';
import { createHash } from 'node:crypto';
import type { Context } from '../../domain/context.ts';
import { Refusal } from '@repoless/contract/refusal.ts';
import type { CodeOrigin, CodeRequest, RepositoryAvailability, StoredJob } from './ports.ts';
import { requireUser } from '../../sessions/identity.ts';

export function originOf(org: string, code: CodeSource | undefined): CodeOrigin | undefined {
  const { owner, repo, source } = code ?? {};
  if (owner === undefined || repo === undefined || source === undefined) return undefined;
  const name = { owner, repo };
  const external = externalSource(code);
  if (external === undefined) return { ...name, repository: `github:${owner}/${repo}`, type: 'github', key: githubKey(owner, repo) };
  const { url, rawUrl } = external;
  const addresses = createHash('sha256').update(`${url}\n${rawUrl}`).digest('hex').slice(0, 16);
  const key = `byogit:${org}:${owner}/${repo}:${addresses}`;
  return { ...name, repository: `byogit:${owner}/${repo}`, type: 'byogit', org, url, rawUrl, key };
}

/** Names on the code host are case-insensitive. */
export function githubKey(owner: string, repo: string): string {
  return `github:${owner}/${repo}`.toLowerCase();
}

/** The key by which a repository, `<type>:<owner>/<repo>`, is found and counted. Names of external ones may be case-sensitive. */
export function repositoryKey(repository: string): string {
  return repository.startsWith('github:') ? repository.toLowerCase() : repository;
}

/** A prefix of the keys of an organization's repositories. Requests for the code of others use the requester's own share (`org`). */
export function shareOfOrigin(origin: CodeOrigin, org?: string): string {
  return origin.type === 'byogit' ? `byogit:${origin.org}:` : githubKey(org ?? origin.owner, '');
}

/** A job that others also requested must not wait for one organization's calls. */
export function shareOfJob({ origin, begunBy, isJoined }: Pick<StoredJob, 'origin' | 'begunBy' | 'isJoined'>): string {
  return shareOfOrigin(origin, isJoined === true ? undefined : begunBy);
}

export function changedOrigin(org: string, before: CodeSource | undefined, after: CodeSource | undefined): CodeOrigin | undefined {
  const origin = originOf(org, after);
  return origin?.key === originOf(org, before)?.key ? undefined : origin;
}

export function isKnownSource({ codeSources }: Context, org: string, origin: CodeOrigin): boolean {
  return codeSources.wasFound(codeRequestOf(org, origin));
}

export async function requireUsable({ codeSources }: Context, org: string, origin: CodeOrigin): Promise<void> {
  const found = await codeSources.repository(codeRequestOf(org, origin));
  const code = problemOf(origin, found);
  if (code === undefined) return;
  const { owner, repo } = origin;
  const data = { owner, repo, ...(found.state === undefined ? {} : { state: found.state }) };
  throw new Refusal(code, found.detail, {
    data,
    errors: [{ pointer: '/code/repo', detail: found.detail, rule: 'repository', data: { ...data, standing: found.repository } }],
    ...(found.repository === 'unreachable' && { retryAfter: 30 }),
  });
}

function problemOf(origin: CodeOrigin, { repository, state = 'READY' }: RepositoryAvailability): ErrorCode | undefined {
  switch (repository) {
    case 'unchecked':
      return undefined;
    case 'found':
      return state === 'READY' ? undefined : 'REPOSITORY_NOT_READY';
    case 'missing':
      return 'CODE_SOURCE_NOT_FOUND';
    case 'refused':
      return 'CODE_SOURCE_REFUSED';
    case 'unreachable':
      return origin.type === 'github' ? 'CODE_HOST_UNREACHABLE' : 'BUILD_MANAGEMENT_UNREACHABLE';
    default:
      return repository satisfies never;
  }
}

function codeRequestOf(org: string, { type, owner, repo, ...source }: CodeOrigin): CodeRequest {
  return { org, type, owner, repo, ...('url' in source && { url: source.url, rawUrl: source.rawUrl }) };
}

/** Only an operator may skip the check. */
export function requireOperatorToSkip({ caller, settings }: Context): void {
  const { names } = requireUser(caller);
  if (names.some((name) => settings.operators.includes(name))) return;
  const sentence = 'Only an operator of the service may store a code source unchecked. Omit unchecked.';
  throw new Refusal('NOT_AUTHORIZED', sentence);
}
