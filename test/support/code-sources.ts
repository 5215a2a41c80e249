import { codeSentence } from '@repoless/contract/code-sentences.ts';
import type { CodeSources, RepositoryAvailability } from '@repoless/service/code/rules/ports.ts';
import type { CodeHostSource } from '@repoless/service/remote/code-host.ts';

/** A code host that has every repository, each with an empty `main`, except the `odd` ones (`owner/repo`). */
export function codeHostWith(odd: Readonly<Record<string, RepositoryAvailability['repository']>> = {}): CodeHostSource {
  const availabilityOf = ({ owner, repo }: { owner: string; repo: string }): RepositoryAvailability => {
    const name = `${owner}/${repo}`;
    const repository = odd[name] ?? 'found';
    return { repository, detail: DETAILS[repository](name) };
  };
  return {
    repository: async (source) => availabilityOf(source),
    head: async () => '0'.repeat(40),
    probe: async (source) => ({ ...availabilityOf(source), branch: 'found', sha: '0'.repeat(40), files: {} }),
  };
}

const DETAILS: Readonly<Record<RepositoryAvailability['repository'], (name: string) => string>> = {
  found: (name) => codeSentence('sourceFound.repository', { place: name }),
  missing: (name) => codeSentence('sourceMissing', { place: name }),
  refused: (name) => codeSentence('sourceRefused', { place: name, status: 404 }),
  unreachable: (name) =>
    codeSentence('sourceUnreachable', { place: name, problem: codeSentence('hostUnresponsive', { host: 'code.example' }) }),
  unchecked: (name) => codeSentence('buildsNotQueried', { host: name }),
};

/** Every repository exists and is readable. */
export const everyRepository: CodeSources = {
  repository: async () => ({ repository: 'found', detail: 'It is there.' }),
  head: async () => '0'.repeat(40),
  probe: async () => ({ repository: 'found', branch: 'found', sha: '0'.repeat(40), files: {}, detail: 'It is there.' }),
  wasFound: () => true,
};
