import type { RepositoryAvailability } from '@repoless/service/code/rules/ports.ts';
import { createCodeSources } from '@repoless/service/remote/code-sources.ts';
import { expect, test } from 'vitest';

test('a repository that was found stays known while many others are asked for', async () => {
  const found: RepositoryAvailability = { repository: 'found', detail: 'It is there.' };
  const sources = createCodeSources({
    codeHost: { repository: async () => found, head: async () => undefined, look: async () => ({ ...found, branch: 'found' }) },
    buildManagement: { address: undefined, key: undefined },
    remote: { send: () => Promise.reject(new Error('Nobody is asked here.')), close: async () => undefined },
    now: () => new Date(0),
  });
  const repository = (index: number) => ({ org: 'acme', type: 'github' as const, owner: 'acme', repo: `code-${index}` });
  for (let index = 0; index < 1_500; index += 1) await sources.repository(repository(index));
  for (let index = 501; index < 1_500; index += 1) expect(sources.wasFound(repository(index)), `code-${index}`).toBe(true);
});
