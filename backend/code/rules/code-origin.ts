import { type CodeSource, externalSource } from '@repoless/contract/code-source.ts';
import type { ErrorCode } from '@repoless/contract/errors.ts';
import { createHash } from 'node:crypto';
import { Refusal } from '@repoless/contract/refusal.ts';
import { DEFAULT_REF } from '@repoless/contract/names.ts';
import type { Context } from '../../domain/context.ts';
import type { CodeOrigin, CodeRequest, RepositoryAvailability, StoredJob, CodeStore } from './ports.ts';
import type { Reads } from '../../domain/ports.ts';

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
export function shareOfJob({ origin, startedBy, isJoined }: Pick<StoredJob, 'origin' | 'startedBy' | 'isJoined'>): string {
  return shareOfOrigin(origin, isJoined === true ? undefined : startedBy);
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
    errors: [{ pointer: '/code/repo', detail: found.detail, rule: 'repository', data: { ...data, availability: found.repository } }],
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

/** Stands for all organizations: the branch counts for each that has a site on the repository. No organization has this name. */
export const ALL_ORGANIZATIONS = '';

interface Branch {
  readonly origin: CodeOrigin;
  /** As in addresses. */
  readonly ref: string;
}

/**
 * Whether a branch counts only for those who requested it: neither `main` nor a branch of an external repository, which has one
 * organization.
 */
function isRequested({ origin, ref }: Branch): boolean {
  return origin.type === 'github' && ref !== DEFAULT_REF;
}

/** The organizations that requested a branch, whether or not they still use its repository; undefined if it counts for all that use it. */
export async function requestersOf(code: Pick<CodeStore, 'requestersOf'>, branch: Branch): Promise<readonly string[] | undefined> {
  if (!isRequested(branch)) return undefined;
  const requesters = await code.requestersOf(branch.origin.key, branch.ref);
  return requesters.length === 0 || requesters.includes(ALL_ORGANIZATIONS) ? undefined : requesters;
}

export async function* organizationsCounted(
  reads: Pick<Reads, 'orgsOfRepository' | 'usesRepository'>,
  origin: CodeOrigin,
  requesters: readonly string[] | undefined,
): AsyncGenerator<string> {
  if (requesters === undefined) return yield* organizationsOf(reads, origin);
  for (const org of requesters) if (await reads.usesRepository(org, origin.repository)) yield org;
}

/** Refuses if the branch is stored for others, and the organization has no quota left for it. Its sync measures a new branch. */
export async function requireBranchCapacity(context: Context, org: string, branch: Branch): Promise<void> {
  const missing = await missingCapacity(context, org, branch);
  if (missing === undefined) return;
  const sentence = `The organization "${org}" has no quota left for the branch "${branch.ref}", which others requested first: it has ${missing.used} bytes of code, and ${missing.limit} are allowed; the branch has ${missing.bytes}. Delete branches or remove sites that are not needed, or ask the operator for more.`;
  throw new Refusal('STORAGE_QUOTA_REACHED', sentence, {
    data: { quota: 'codeBytes', used: `${missing.used}`, limit: `${missing.limit}` },
  });
}

/** The owner of the repository, or everyone if the owner has no site on it; undefined if it is stored and the owner has no quota left. */
export async function requesterOfPush(context: Context, branch: Branch): Promise<string | undefined> {
  if (!isRequested(branch)) return undefined;
  const owner = branch.origin.owner.toLowerCase();
  if (!(await context.store.reads.usesRepository(owner, branch.origin.repository))) return ALL_ORGANIZATIONS;
  return (await missingCapacity(context, owner, branch)) === undefined ? owner : undefined;
}

/** Undefined if there is quota left, or nothing that needs it. */
async function missingCapacity(
  { store, settings }: Context,
  org: string,
  branch: Branch,
): Promise<{ readonly used: number; readonly limit: number; readonly bytes: number } | undefined> {
  const { codeBytes: limit } = settings.quotas;
  if (limit === undefined || !isRequested(branch)) return undefined;
  const { code } = store;
  const stored = await code.branch(branch.origin.key, branch.ref);
  if (stored === undefined) return undefined;
  const requesters = await requestersOf(code, branch);
  if (requesters === undefined || requesters.includes(org)) return undefined;
  const used = await code.bytesOf(org, limit - stored.bytes);
  return used + stored.bytes <= limit ? undefined : { used, limit, bytes: stored.bytes };
}

/** All organizations whose sites use the code of an origin, sorted by name; every one of them counts, including the last. */
export async function* organizationsOf(reads: Pick<Reads, 'orgsOfRepository'>, origin: CodeOrigin): AsyncGenerator<string> {
  if (origin.type === 'byogit') return yield origin.org;
  for (let after = ''; ;) {
    const orgs = await reads.orgsOfRepository(origin.repository, { after, limit: PAGE });
    yield* orgs;
    if (orgs.length < PAGE) return;
    after = orgs[orgs.length - 1] ?? '';
  }
}

const PAGE = 50;
