import { ExternalRepositoryList } from '@repoless/contract/build-management.ts';
import { english } from '@repoless/core/messages/english.ts';
import { explainBlock } from '@repoless/core/messages/explain-failure.ts';
import type { CodeChoice } from '@repoless/core/situation/situation.ts';
import { externalChoice } from '@repoless/core/sync/repository-groups.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { siteBody } from '../support/backend.ts';
import { apply, open, stateOf, writes } from './apply.ts';
import { startWithBuilds, type WithBuilds } from './builds-beside.ts';
import { ADA } from './setup-world.ts';

const PAGE = '/content/summit';
let around: WithBuilds;
beforeAll(async () => {
  around = await startWithBuilds();
});
afterAll(() => around.stop());

/** The code of the first site on a repository, as the panel chooses it. */
async function chosen(repositoryId: string): Promise<CodeChoice> {
  const { codeSync, repositories } = ExternalRepositoryList.parse(
    (await around.call(ADA, 'GET', '/organizations/wknd/repositories')).json(),
  );
  const repository = repositories.find((one) => one.repositoryId === repositoryId);
  if (repository === undefined) throw new Error(`There is no repository ${repositoryId}.`);
  return externalChoice(repository, codeSync, [], 'summit');
}

describe('The first site of an external repository', () => {
  test('is not begun where the repository has no branch main', async () => {
    const { repositoryId } = await around.onboard(ADA, 'begun');
    const person = await around.person(ADA);
    const code = await chosen(repositoryId);
    const opened = await open(person, PAGE, { code });
    expect(stateOf(opened.plan, 'repository')).toMatchObject({ kind: 'blocked', reason: 'branch-missing', data: { branch: 'main' } });
    expect((await apply(person, PAGE, opened)).result).toMatchObject({ outcome: 'failed', step: 'repository' });
    expect(writes(person.sent)).toEqual([]);
  });

  test('waits for its secret with a way that can be gone, and is set up on that way', async () => {
    const { repositoryId } = await around.onboard(ADA);
    const path = `/organizations/wknd/repositories/${repositoryId}`;
    const code = await chosen(repositoryId);
    const person = await around.person(ADA);
    const before = await open(person, PAGE, { code });
    const waiting = stateOf(before.plan, 'store-secret');
    expect(waiting).toMatchObject({ kind: 'blocked', reason: 'secret-missing', data: { site: 'summit', registered: 'no' } });
    expect(explainBlock(english['first-view'], 'secret-missing', waiting?.kind === 'blocked' ? waiting.data : {})).toEqual({
      why: 'The secret of the external repository is not stored yet, and build management makes one for registered sites only.',
      turn: 'you',
      who: 'Open “Sync status” on the right of the editor, open the repository under “External repositories”, and press “Create the site” there: this registers the site “summit” and stores the secret. Then press “Refresh” here. If you already have the repository’s current secret, paste it under “Settings” instead.',
    });
    // Where the repository is linked to a site that is not registered, nobody gets a secret.
    expect((await around.call(ADA, 'PUT', `${path}/link`, { site: 'summit' })).status).toBe(404);
    const contentUrl = `${around.authorAddress()}/bin/franklin.delivery/wknd/summit/main`;
    const made = await around.call(ADA, 'POST', `${path}/sites`, { site: 'summit', contentUrl });
    expect(made.status, made.text).toBe(201);
    const after = await open(person, PAGE, { code });
    expect(stateOf(after.plan, 'store-secret')).toEqual({ kind: 'done' });
    expect((await apply(person, PAGE, after)).result).toEqual({ outcome: 'complete' });
  });

  test('asks for the secret of a link where the site is registered', async () => {
    const { repositoryId } = await around.onboard(ADA, 'another');
    const body = siteBody('wknd', 'lantern', { code: { owner: 'wknd', repo: 'wknd' } });
    const stored = await around.backend.call('PUT', '/config/wknd/sites/lantern.json', { as: ADA, body });
    expect(stored.status, stored.text).toBe(201);
    const code = { ...(await chosen(repositoryId)), holdsSecret: true };
    const { plan } = await open(await around.person(ADA), '/content/lantern', { code });
    const state = stateOf(plan, 'store-secret');
    expect(state).toMatchObject({ kind: 'blocked', reason: 'secret-missing', data: { registered: 'yes' } });
    expect(explainBlock(english['first-view'], 'secret-missing', state?.kind === 'blocked' ? state.data : {}).who).toBe(
      'Paste it under “Settings”. Build management shows it when the repository is linked to this site.',
    );
    const link = await around.call(ADA, 'PUT', `/organizations/wknd/repositories/${repositoryId}/link`, { site: 'lantern' });
    expect(link.status, link.text).toBe(200);
  });
});
