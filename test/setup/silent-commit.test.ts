import type { Finding } from '@repoless/core/checks/finding.ts';
import { checkSite } from '@repoless/core/checks/check-site.ts';
import { createCatalogues } from '@repoless/core/messages/catalogue.ts';
import { english } from '@repoless/core/messages/english.ts';
import { findingMessages } from '@repoless/core/messages/finding-messages.ts';
import type { Situation } from '@repoless/core/situation/situation.ts';
import { describe, expect, test } from 'vitest';
import { startBeforeAll } from '../support/start-before-all.ts';
import { enable, situationOf } from './apply.ts';
import { startWithBuilds } from './with-build-management.ts';
import { ADA } from './setup-world.ts';

const inGerman = (await createCatalogues()('de').read('site-check')).checks;
const checks = english['site-check'].checks;

const PAGE = '/content/summit';
const world = startBeforeAll(() => startWithBuilds());

function codeSync(situation: Situation): Finding {
  const finding = checkSite(situation).find(({ check }) => check === 'code-sync-fresh');
  if (finding === undefined) throw new Error('The code sync is not checked.');
  return finding;
}
const read = async () => codeSync(await situationOf(await world.person(ADA), PAGE));
const messagesOf = (finding: Finding) => findingMessages(checks, finding);
const german = (finding: Finding) => findingMessages(inGerman, finding);
const sync = async (site: string) => {
  expect((await world.backend.call('POST', `/code/wknd/${site}/main/*`, { as: ADA })).status).toBe(202);
  expect((await world.ended(site, ADA)).error).toBeUndefined();
};

describe('A commit whose push was not received', () => {
  test('is found on the code host next to the served commit, until it is synced', async () => {
    const code = { type: 'github', owner: 'wknd', repo: 'summit' } as const;
    expect((await enable(await world.person(ADA), PAGE, { code })).result).toEqual({ outcome: 'complete' });
    const before = await read();
    expect(before.verdict).toBe('fine');
    const clone = await world.codeHost.clone('summit');
    await clone.push({ 'styles/new.css': 'a {}\n' });
    const head = (await clone.git('rev-parse', 'HEAD')).trim();
    const behind = await read();
    expect(behind).toMatchObject({ verdict: 'warning', variant: 'behind', data: { commit: before.data['commit'], head } });
    expect(messagesOf(behind).finding).toBe(
      `The branch “main” is at commit ${head.slice(0, 10)}, but ${before.data['commit']?.slice(0, 10)} is served.`,
    );
    await sync('summit');
    expect(await read()).toMatchObject({ verdict: 'fine', data: { commit: head } });
  });

  test('is not reported if its sync was started concurrently', async () => {
    const clone = await world.codeHost.clone('summit');
    await clone.push({ 'styles/newer.css': 'a {}\n' });
    let changed = false;
    const person = await world.person(ADA, {
      before: async ({ address }) => {
        if (!address.includes('/code/check.json') || changed) return;
        changed = true;
        await sync('summit');
      },
    });
    expect(codeSync(await situationOf(person, PAGE)).verdict).toBe('fine');
  });

  test('is unknown if the code host does not return the branch', async () => {
    await world.codeHost.fault({ mode: 'unavailable', path: '/wknd/summit' });
    const finding = await read();
    await world.codeHost.fault({ mode: 'none' });
    expect(finding).toMatchObject({ verdict: 'unknown', variant: 'uncompared' });
    expect(messagesOf(finding).finding).toMatch(/^The code was synced at .*, but the branch couldn’t be read/);
  });

  test('is reported if the branch is missing', async () => {
    await world.codeHost.renameBranch('summit', 'main', 'trunk');
    const finding = await read();
    await world.codeHost.renameBranch('summit', 'trunk', 'main');
    expect(finding).toMatchObject({ verdict: 'warning', variant: 'gone' });
    expect(messagesOf(finding).finding).toMatch(/the repository wknd\/summit no longer has a branch “main”\.$/);
    expect(german(finding).finding).toMatch(/Das Repository wknd\/summit hat keinen Branch „main“ mehr\.$/);
  });

  test('is reported in the reader’s language if the repository can no longer be read', async () => {
    await world.codeHost.fault({ mode: 'forbidden', path: '/wknd/summit' });
    const finding = await read();
    await world.codeHost.fault({ mode: 'none' });
    expect(finding).toMatchObject({ verdict: 'warning', variant: 'gone' });
    expect(messagesOf(finding).finding).toMatch(/the repository wknd\/summit can’t be read\. It is private, or it no longer exists\.$/);
    expect(german(finding).finding).toMatch(/Das Repository wknd\/summit lässt sich nicht lesen\./);
    expect(finding.evidence?.answer).toMatch(/403/);
  });

  test('is found in an external repository as well', async () => {
    const { repositoryId } = await world.onboard(ADA);
    const contentUrl = `${world.authorAddress()}/bin/franklin.delivery/wknd/lantern/main`;
    const created = await world.call(ADA, 'POST', `/organizations/wknd/repositories/${repositoryId}/sites`, {
      site: 'lantern',
      contentUrl,
    });
    expect(created.status, created.text).toBe(201);
    await world.ended('lantern', ADA);
    const lantern = async () => codeSync(await situationOf(await world.person(ADA), '/content/lantern'));
    expect(await lantern()).toMatchObject({ verdict: 'fine' });
    const clone = await world.clone();
    await clone.push({ 'styles/new.css': 'a {}\n' });
    const head = (await clone.git('rev-parse', 'HEAD')).trim();
    expect(await lantern()).toMatchObject({ verdict: 'warning', variant: 'behind', data: { head } });
    await sync('lantern');
    expect(await lantern()).toMatchObject({ verdict: 'fine', data: { commit: head } });
  });
});
