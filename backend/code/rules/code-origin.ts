import { createHash } from 'node:crypto';
import { externalSource } from '@repoless/contract/code-source.ts';
import type { CodeSource } from '@repoless/contract/code-source.ts';

/** Where the code of sites comes from. Sites with the same `key` share one synchronised copy. */
export type CodeOrigin = {
  readonly key: string;
  /** `<type>:<owner>/<repo>`, as somebody spelled it: see `repositoryKey`. */
  readonly repository: string;
  readonly owner: string;
  readonly repo: string;
} & (
  | { readonly type: 'github' }
  /** Shared within an organization alone, for its secret is. */
  | { readonly type: 'byogit'; readonly org: string; readonly url: string; readonly rawUrl: string }
);

/** The origin of a site's code; undefined where the site has no code source of its own. */
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

/** The code host takes names in any case for the same. */
export function githubKey(owner: string, repo: string): string {
  return `github:${owner}/${repo}`.toLowerCase();
}

/** What a repository, `<type>:<owner>/<repo>`, is found and counted by. Names of external ones differ by their case, for all that is known. */
export function repositoryKey(repository: string): string {
  return repository.startsWith('github:') ? repository.toLowerCase() : repository;
}

/**
 * Those who share what can be worked on at once: how the keys of an organization's repositories begin. Whoever asks for the code of others
 * does so at the cost of their own share. In: the organization whose call it is, where it is one's.
 */
export function shareOf(origin: CodeOrigin, org?: string): string {
  return origin.type === 'byogit' ? `byogit:${origin.org}:` : githubKey(org ?? origin.owner, '');
}

interface Shared {
  readonly origin: CodeOrigin;
  readonly begunBy?: string;
  readonly isJoined?: boolean;
}

/** What others asked for as well waits for nobody's calls. */
export function shareOfJob({ origin, begunBy, isJoined }: Shared): string {
  return shareOf(origin, isJoined === true ? undefined : begunBy);
}
