import { type CodeSource, externalSource } from '@repoless/contract/code-source.ts';

/** The code source of a site, as a person chooses it. */
export type CodeChoice =
  | { readonly type: 'github'; readonly owner: string; readonly repo: string }
  | {
      readonly type: 'byogit';
      readonly owner: string;
      readonly repo: string;
      readonly url: string;
      readonly rawUrl: string;
      readonly holdsSecret: boolean;
    };

/** A repository, whatever its address. */
export type Repository = Pick<CodeChoice, 'type' | 'owner' | 'repo'>;

/** A code source as a choice; undefined if it names no repository. */
export function codeChoice(code: CodeSource | undefined): CodeChoice | undefined {
  const owner = code?.owner ?? code?.source?.owner;
  const repo = code?.repo ?? code?.source?.repo;
  if (owner === undefined || repo === undefined) return undefined;
  const external = externalSource(code);
  if (external === undefined) return { type: 'github', owner, repo };
  const { url, rawUrl, secretId } = external;
  return { type: 'byogit', owner, repo, url, rawUrl, holdsSecret: secretId !== undefined };
}

/** The name of a repository: `github:owner/repo`. */
export function repositoryName({ type, owner, repo }: Repository): string {
  return `${type}:${owner}/${repo}`;
}

/** Two sites with the same key share their code. */
export function repositoryKey(repository: Repository): string {
  return keyOfName(repositoryName(repository));
}

/** The key of a repository's name (`repositoryName`). The code host ignores case; names of external repositories are case-sensitive. */
export function keyOfName(name: string): string {
  return name.startsWith('github:') ? name.toLowerCase() : name;
}
