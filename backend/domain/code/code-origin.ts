import { createHash } from 'node:crypto';
import type { CodeSource } from '#contract/code-source.ts';

/** Where the code of sites comes from. Sites with the same `key` share one synchronised copy. */
export type CodeOrigin = {
  readonly key: string;
  /** As sites are looked up by it: `<type>:<owner>/<repo>`. */
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
  const name = { owner, repo, repository: `${source.type}:${owner}/${repo}` };
  switch (source.type) {
    case 'github':
      return { ...name, type: 'github', key: githubKey(owner, repo) };
    case 'byogit': {
      const addresses = createHash('sha256').update(`${source.url}\n${source.raw_url}`).digest('hex').slice(0, 16);
      return { ...name, type: 'byogit', org, url: source.url, rawUrl: source.raw_url, key: `byogit:${org}:${owner}/${repo}:${addresses}` };
    }
    default:
      return source satisfies never;
  }
}

/** The code host takes names in any case for the same. */
export function githubKey(owner: string, repo: string): string {
  return `github:${owner}/${repo}`.toLowerCase();
}
