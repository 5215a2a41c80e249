import type { CodeSources, RepositoryAvailability } from '@repoless/service/code/rules/ports.ts';
import type { CodeHostSource } from '@repoless/service/remote/code-host.ts';

/** A code host that has every repository, each with an empty `main`, except the `odd` ones (`owner/repo`). */
export function codeHostWith(odd: Readonly<Record<string, RepositoryAvailability['repository']>> = {}): CodeHostSource {
  const standing = ({ owner, repo }: { owner: string; repo: string }): RepositoryAvailability => {
    const place = `${owner}/${repo}`;
    const repository = odd[place] ?? 'found';
    return { repository, detail: `The repository ${place} of the code host was ${repository}.` };
  };
  return {
    repository: async (asked) => standing(asked),
    head: async () => '0'.repeat(40),
    look: async (asked) => ({ ...standing(asked), branch: 'found', sha: '0'.repeat(40), files: {} }),
  };
}

/** Every repository exists and is readable. */
export const everyRepository: CodeSources = {
  repository: async () => ({ repository: 'found', detail: 'It is there.' }),
  head: async () => '0'.repeat(40),
  look: async () => ({ repository: 'found', branch: 'found', sha: '0'.repeat(40), files: {}, detail: 'It is there.' }),
  wasFound: () => true,
};
