import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ExternalRepositoryList } from '#contract/build-management.ts';
import type { CodeChoice } from '#extension/setup/settings.ts';
import { externalChoice } from '#extension/setup/sync/external-choice.ts';
import { apply, open, stateOf, writes } from './apply.ts';
import { startWithBuilds } from './builds-beside.ts';
import type { WithBuilds } from './builds-beside.ts';
import { ADA } from './setup-world.ts';

const PAGE = '/content/summit';
let around: WithBuilds;
beforeAll(async () => {
  around = await startWithBuilds();
});
afterAll(() => around.stop());

/** The code of the first site on a repository, as the panel chooses it. */
async function chosen(repositoryId: string): Promise<CodeChoice> {
  const { codeSync, repositories } = ExternalRepositoryList.parse((await around.call(ADA, 'GET', '/organizations/wknd/repositories')).json());
  const repository = repositories.find((one) => one.repositoryId === repositoryId);
  if (repository === undefined) throw new Error(`There is no repository ${repositoryId}.`);
  return externalChoice(repository, codeSync, [], 'summit');
}

describe('The first site of an external repository', () => {
  test('is not begun where the repository has no branch main', async () => {
    const { repositoryId } = await around.host(ADA, 'never-pushed');
    const person = await around.person(ADA);
    const code = await chosen(repositoryId);
    const opened = await open(person, PAGE, { code });
    expect(stateOf(opened.plan, 'repository')).toMatchObject({ kind: 'blocked', reason: 'branch-missing', data: { branch: 'main' } });
    expect((await apply(person, PAGE, opened)).result).toMatchObject({ outcome: 'failed', step: 'repository' });
    expect(writes(person.sent)).toEqual([]);
  });
});
