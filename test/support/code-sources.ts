import { codeSentence } from '@repoless/contract/code-sentences.ts';
import type { CodeSources, RepositoryAvailability } from '@repoless/service/code/rules/ports.ts';
import type { CodeHostSource } from '@repoless/service/remote/code-host.ts';

/** A code host that has every repository, each with an empty `main`, except the `odd` ones (`owner/repo`). */
export function codeHostWith(odd: Readonly<Record<string, RepositoryAvailability['repository']>> = {}): CodeHostSource {
  const standing = ({ owner, repo }: { owner: string; repo: string }): RepositoryAvailability => {
    const place = `${owner}/${repo}`;
    const repository = odd[place] ?? 'found';
    return { repository, detail: SAID[repository](place) };
  };
  return {
    repository: async (source) => standing(source),
    head: async () => '0'.repeat(40),
    look: async (source) => ({ ...standing(source), branch: 'found', sha: '0'.repeat(40), files: {} }),
  };
}

const SAID: Readonly<Record<RepositoryAvailability['repository'], (place: string) => string>> = {
  found: (place) => codeSentence('sourceFound.repository', { place }),
  missing: (place) => codeSentence('sourceMissing', { place }),
  refused: (place) => codeSentence('sourceRefused', { place, status: 404 }),
  unreachable: (place) => codeSentence('sourceUnreachable', { place, problem: codeSentence('hostSilent', { host: 'code.example' }) }),
  unchecked: (place) => codeSentence('buildsNotAsked', { host: place }),
};

/** Every repository exists and is readable. */
export const everyRepository: CodeSources = {
  repository: async () => ({ repository: 'found', detail: 'It is there.' }),
  head: async () => '0'.repeat(40),
  look: async () => ({ repository: 'found', branch: 'found', sha: '0'.repeat(40), files: {}, detail: 'It is there.' }),
  wasFound: () => true,
};
