import { ExternalRepositoryList } from '@repoless/contract/build-management.ts';
import type { CodeChoice } from '@repoless/core/situation/code-choice.ts';
import { externalChoice } from '@repoless/core/sync/repository-groups.ts';
import { describe, expect, test } from 'vitest';
import { startBeforeAll } from '../support/start-before-all.ts';
import { apply, open, stateOf, writes } from './apply.ts';
import { startWithBuilds } from './with-build-management.ts';
import { ADA } from './setup-world.ts';

const PAGE = '/content/summit';
const world = startBeforeAll(() => startWithBuilds());

/** The code source of a repository's first site, as the panel chooses it. */
async function chosen(repositoryId: string): Promise<CodeChoice> {
  const { codeSync, repositories } = ExternalRepositoryList.parse(
    (await world.call(ADA, 'GET', '/organizations/wknd/repositories')).json(),
  );
  const repository = repositories.find((one) => one.repositoryId === repositoryId);
  if (repository === undefined) throw new Error(`There is no repository ${repositoryId}.`);
  return externalChoice(repository, codeSync, [], 'summit');
}

describe('The first site of an external repository', () => {
  test('is not started if the repository has no branch main', async () => {
    const { repositoryId } = await world.onboard(ADA, 'started');
    const person = await world.person(ADA);
    const code = await chosen(repositoryId);
    const opened = await open(person, PAGE, { code });
    expect(stateOf(opened.plan, 'repository')).toMatchObject({ kind: 'blocked', reason: 'branch-missing', data: { branch: 'main' } });
    expect((await apply(person, PAGE, opened)).result).toMatchObject({ outcome: 'failed', step: 'repository' });
    expect(writes(person.sent)).toEqual([]);
  });

  test('is registered, linked, given its secret and synced by one plan', async () => {
    const { repositoryId } = await world.onboard(ADA);
    const code = await chosen(repositoryId);
    const person = await world.person(ADA);
    const opened = await open(person, PAGE, { code });
    const ids = opened.plan.steps.map(({ id }) => id);
    expect(ids.slice(ids.indexOf('register-site')).slice(0, 3)).toEqual(['register-site', 'link-repository', 'store-secret']);
    expect(opened.plan).toMatchObject({ blocked: false });
    // If build management does not respond, it is named, and the run can be continued from there.
    const cut = await world.person(ADA, {
      before: ({ method, address }) => {
        if (method === 'PUT' && address.endsWith('/link')) throw new TypeError('fetch failed');
      },
    });
    expect((await apply(cut, PAGE, await open(cut, PAGE, { code }))).result).toMatchObject({
      outcome: 'failed',
      step: 'link-repository',
      failure: { kind: 'unreachable', system: 'build-management' },
    });
    const { result, progress } = await apply(person, PAGE, await open(person, PAGE, { code }));
    expect(result).toEqual({ outcome: 'complete' });
    const done = progress.filter(({ state }) => state === 'done').map(({ step }) => step);
    expect(done.indexOf('store-secret')).toBeLessThan(done.indexOf('code-sync'));
    const link = (await world.call(ADA, 'GET', `/organizations/wknd/repositories/${repositoryId}`)).json();
    expect(link).toMatchObject({ link: { site: 'summit' } });
    const again = await open(person, PAGE, { code });
    expect(stateOf(again.plan, 'store-secret')).toEqual({ kind: 'done' });
    expect(stateOf(again.plan, 'link-repository')).toBeUndefined();
  });

  test('requires the secret from a person if build management is not configured', async () => {
    const { repositoryId } = await world.onboard(ADA, 'third');
    const { ports } = await world.person(ADA);
    const { buildsAt: _builds, ...others } = ports;
    const { plan } = await open({ ports: others, sent: [] }, '/content/harbour', {
      code: await chosen(repositoryId),
    });
    expect(stateOf(plan, 'store-secret')).toMatchObject({ kind: 'blocked', reason: 'secret-missing' });
  });
});
