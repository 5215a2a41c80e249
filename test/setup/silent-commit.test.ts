import type { Finding } from '@repoless/core/checks/finding.ts';
import { checkSite } from '@repoless/core/checks/check-site.ts';
import { createCatalogues } from '@repoless/core/messages/catalogue.ts';
import { english } from '@repoless/core/messages/english.ts';
import { findingMessages } from '@repoless/core/messages/finding-messages.ts';
import type { Situation } from '@repoless/core/situation/situation.ts';
import { describe, expect, test } from 'vitest';
import { startBeforeAll } from '../support/start-before-all.ts';
import { enable, situationOf } from './apply.ts';
import { startWithBuilds } from './builds-beside.ts';
import { ADA } from './setup-world.ts';

const inGerman = (await createCatalogues()('de').read('site-check')).checks;
const checks = english['site-check'].checks;

const PAGE = '/content/summit';
const around = startBeforeAll(() => startWithBuilds());

function codeSync(situation: Situation): Finding {
  const finding = checkSite(situation).find(({ check }) => check === 'code-sync-fresh');
  if (finding === undefined) throw new Error('The code sync is not checked.');
  return finding;
}
const read = async () => codeSync(await situationOf(await around.person(ADA), PAGE));
const said = (finding: Finding) => findingMessages(checks, finding);
const german = (finding: Finding) => findingMessages(inGerman, finding);
const sync = async (site: string) => {
  expect((await around.backend.call('POST', `/code/wknd/${site}/main/*`, { as: ADA })).status).toBe(202);
  expect((await around.ended(site, ADA)).error).toBeUndefined();
};

describe('A commit whose push was not received', () => {
  test('is found on the code host beside the served commit, until it is synced', async () => {
    const code = { type: 'github', owner: 'wknd', repo: 'summit' } as const;
    expect((await enable(await around.person(ADA), PAGE, { code })).result).toEqual({ outcome: 'complete' });
    const before = await read();
    expect(before.verdict).toBe('fine');
    const clone = await around.codeHost.clone('summit');
    await clone.push({ 'styles/new.css': 'a {}\n' });
    const head = (await clone.git('rev-parse', 'HEAD')).trim();
    const behind = await read();
    expect(behind).toMatchObject({ verdict: 'warning', variant: 'behind', data: { commit: before.data['commit'], head } });
    expect(said(behind).finding).toBe(
      `The branch “main” is at commit ${head.slice(0, 10)}, but ${before.data['commit']?.slice(0, 10)} is served.`,
    );
    await sync('summit');
    expect(await read()).toMatchObject({ verdict: 'fine', data: { commit: head } });
  });

  test('is not reported if its sync was started concurrently', async () => {
    const clone = await around.codeHost.clone('summit');
    await clone.push({ 'styles/newer.css': 'a {}\n' });
    let asked = false;
    const person = await around.person(ADA, {
      before: async ({ address }) => {
        if (!address.includes('/code/check.json') || asked) return;
        asked = true;
        await sync('summit');
      },
    });
    expect(codeSync(await situationOf(person, PAGE)).verdict).toBe('fine');
  });

  test('is unknown if the code host does not return the branch', async () => {
    await around.codeHost.fault({ mode: 'unavailable', path: '/wknd/summit' });
    const finding = await read();
    await around.codeHost.fault({ mode: 'none' });
    expect(finding).toMatchObject({ verdict: 'unknown', variant: 'uncompared' });
    expect(said(finding).finding).toMatch(/^The code was synced at .*, but the branch couldn’t be read/);
  });

  test('is reported if the branch is missing', async () => {
    await around.codeHost.renameBranch('summit', 'main', 'trunk');
    const finding = await read();
    await around.codeHost.renameBranch('summit', 'trunk', 'main');
    expect(finding).toMatchObject({ verdict: 'warning', variant: 'gone' });
    expect(said(finding).finding).toMatch(/the repository wknd\/summit no longer has a branch “main”\.$/);
    expect(german(finding).finding).toMatch(/Das Repository wknd\/summit hat keinen Branch „main“ mehr\.$/);
  });

  test('is reported in the reader’s language if the repository can no longer be read', async () => {
    await around.codeHost.fault({ mode: 'forbidden', path: '/wknd/summit' });
    const finding = await read();
    await around.codeHost.fault({ mode: 'none' });
    expect(finding).toMatchObject({ verdict: 'warning', variant: 'gone' });
    expect(said(finding).finding).toMatch(/the repository wknd\/summit can’t be read\. It is private, or it no longer exists\.$/);
    expect(german(finding).finding).toMatch(/Das Repository wknd\/summit lässt sich nicht lesen\./);
    expect(finding.evidence?.answer).toMatch(/403/);
  });

  test('is found in an external repository as well', async () => {
    const { repositoryId } = await around.onboard(ADA);
    const contentUrl = `${around.authorAddress()}/bin/franklin.delivery/wknd/lantern/main`;
    const made = await around.call(ADA, 'POST', `/organizations/wknd/repositories/${repositoryId}/sites`, { site: 'lantern', contentUrl });
    expect(made.status, made.text).toBe(201);
    await around.ended('lantern', ADA);
    const lantern = async () => codeSync(await situationOf(await around.person(ADA), '/content/lantern'));
    expect(await lantern()).toMatchObject({ verdict: 'fine' });
    const clone = await around.clone();
    await clone.push({ 'styles/new.css': 'a {}\n' });
    const head = (await clone.git('rev-parse', 'HEAD')).trim();
    expect(await lantern()).toMatchObject({ verdict: 'warning', variant: 'behind', data: { head } });
    await sync('lantern');
    expect(await lantern()).toMatchObject({ verdict: 'fine', data: { commit: head } });
  });
});
