import { describe, expect, inject, test } from 'vitest';
import { explainFailure } from '@repoless/core/messages/explain-failure.ts';
import { BASE_ENVIRONMENT } from '@repoless/sandbox/authoring-system/content-store.ts';
import { pageResources, text, title } from '@repoless/sandbox/seed/page-resources.ts';
import { seedContent } from '@repoless/sandbox/seed/seed-content.ts';
import { authorCaller } from '../../sandbox/author.ts';
import { startTokenIssuer } from '../../sandbox/token-issuer.ts';
import { apply, enable, open, stateOf, undo, writes } from '../../setup/apply.ts';
import { ADA, OTTO, worldWith } from '../../setup/setup-world.ts';
import { startAuthoringOnSling } from './authoring-on-sling.ts';
import { makeAccount, setPrivilege } from './sling-accounts.ts';
import { ADMIN, slingCaller } from './sling-caller.ts';
import { english } from '@repoless/core/messages/english.ts';
import { startBeforeAll } from '../../support/start-before-all.ts';

const en = english['first-view'];

const EDGE = 'settings/cloudconfigs/edge-delivery-service-configuration';
const CONFIGURATION = `/conf/summit/${EDGE}/_jcr_content`;
const admin = () => slingCaller(inject('sling'), ADMIN);

async function startOnSling() {
  const sling = inject('sling');
  const issuer = await startTokenIssuer();
  for (const email of [ADA, OTTO]) await makeAccount(sling, email, ['jcr:read', 'rep:write']);
  await admin().plant([...seedContent('live.localhost:4000')].filter(({ environment }) => environment === BASE_ENVIRONMENT));
  const running = await startAuthoringOnSling(0, sling, issuer.address);
  const stop = async () => {
    await running.stop();
    await issuer.stop();
  };
  return worldWith({ ...authorCaller(Number(new URL(running.address).port), issuer), stop }, { sites: true });
}
const world = startBeforeAll(() => startOnSling());

describe('The extension with Apache Sling', () => {
  test('enables a site root, switching last, and undoes everything', async () => {
    const page = '/content/summit';
    const before = await contentOf(page);
    const ada = await world.person(ADA);
    const opened = await open(ada, page);
    expect(opened.plan).toMatchObject({ complete: false, blocked: false });

    const { result, progress } = await apply(ada, page, opened);

    expect(result).toEqual({ outcome: 'complete' });
    expect(progress.filter(({ state }) => state === 'done').map(({ step }) => step)).toEqual(opened.plan.steps.map(({ id }) => id));
    expect(writes(ada.sent)).toEqual([
      `POST ${CONFIGURATION}`,
      'POST /bin/wcmcommand',
      'PUT /config/wknd/sites/summit.json',
      'POST /code/wknd/summit/main/*',
      `POST ${CONFIGURATION}`,
    ]);
    expect(await inSling(`/conf/summit/${EDGE}/jcr:content`)).toMatchObject({ owner: 'wknd', repo: 'summit', projectType: '4' });
    expect(await inSling(`${page}/configuration/jcr:content`)).toMatchObject({ 'jcr:primaryType': 'cq:PageContent' });
    expect((await open(await world.person(ADA), page)).plan.complete).toBe(true);

    expect((await undo(ada, page)).result).toEqual({ outcome: 'complete' });
    expect(await contentOf(page)).toEqual(before);
  });

  test('creates a configuration for a page without one, and removes it again', async () => {
    const page = '/content/willow';
    const before = await contentOf(page);
    const ada = await world.person(ADA);
    expect(stateOf((await open(ada, page)).plan, 'select-configuration')).toEqual({ kind: 'change', before: null, after: '/conf/willow' });
    const technicalAccount = `${BASE_ENVIRONMENT}@techacct.example.com`;
    expect((await enable(ada, page, { technicalAccount })).result).toEqual({ outcome: 'complete' });
    expect(await inSling(`${page}/jcr:content`)).toMatchObject({ 'cq:conf': '/conf/willow' });
    expect(await inSling('/conf/willow')).toMatchObject({ 'jcr:primaryType': 'sling:Folder' });
    expect(await inSling(`/conf/willow/${EDGE}`)).toMatchObject({ 'jcr:primaryType': 'cq:Page' });
    expect((await undo(ada, page)).result).toEqual({ outcome: 'complete' });
    expect(await contentOf(page)).toEqual(before);
  });

  test('explains a refused write if the permission could not be read beforehand', async () => {
    await setPrivilege(inject('sling'), '/conf/summit', OTTO, 'rep:write', 'denied');
    const otto = await world.person(OTTO);
    expect(await otto.ports.authoring.mayWrite('/conf/summit')).toEqual({ state: 'missing' });
    const { result } = await enable(otto, '/content/summit');
    expect(result).toMatchObject({ outcome: 'failed', failure: { kind: 'refused', status: 422, system: 'authoring' } });
    expect(result.outcome === 'failed' ? explainFailure(en, result.failure).sentence : result).toContain('You may lack permission');
    expect(await inSling(`/conf/summit/${EDGE}/jcr:content`)).toMatchObject({ projectType: '1' });
  });

  test('lists the pages of a level that Sling does not return in one response, with their settings', async () => {
    const names = Array.from({ length: 150 }, (_, index) => `page-${index}`);
    const texts = (name: string) => ({ path: '', title: `Title of ${name}`, description: '', parts: [title(name), text(name)] });
    await admin().plant([
      ...pageResources('/content/many', texts('many')),
      ...names.flatMap((name) => [...pageResources(`/content/many/${name}`, texts(name), { 'jcr:language': 'en' })]),
    ]);
    expect((await world.author.get('/content/many.3.json', { as: ADA })).status).toBe(300);
    const { ports } = await world.person(ADA);
    const children = await ports.authoring.children('/content/many');
    expect(children).toEqual({
      state: 'known',
      value: names.map((name) =>
        expect.objectContaining({ path: `/content/many/${name}`, title: `Title of ${name}`, kind: 'page', language: 'en' }),
      ),
    });
  });
});

async function inSling(path: string): Promise<unknown> {
  const { status, text: body } = await admin().get(`${path}.json`);
  return status === 200 ? JSON.parse(body) : status;
}

/** Everything that enabling may change in Sling: the page, its configuration, and the configuration page. */
async function contentOf(page: string): Promise<unknown[]> {
  const conf = `/conf/${page.split('/')[2]}/${EDGE}`;
  return Promise.all([`${page}/jcr:content`, `${conf}/jcr:content`, conf, `${page}/configuration`].map(inSling));
}
