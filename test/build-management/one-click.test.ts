import { beforeAll, expect, it } from 'vitest';
import { OneClickOutcome, type ExternalRepository } from '@repoless/contract/build-management.ts';
import { Problem } from '@repoless/contract/errors.ts';
import { OPERATOR, siteBody } from '../support/backend.ts';
import { startBuildWorld, until } from './world.ts';
import { startBeforeAll } from '../support/start-before-all.ts';
import { org } from '../support/builders.ts';
import { codeCalls } from '../support/code-world.ts';

const CARL = 'carl.config@example.com';
const DORA = 'dora.develop@example.com';
const ACCOUNT = 'p100-e200@techacct.example.com';
let repository: ExternalRepository;
const world = startBeforeAll(startBuildWorld);
beforeAll(async () => {
  const users = [
    { email: OPERATOR, roles: ['admin'] },
    { email: CARL, roles: ['config_admin'] },
    { email: DORA, roles: ['develop'] },
  ];
  await world.backend.call('PUT', '/config/wknd.json', { as: OPERATOR, body: { users } });
  repository = await world.ready();
});

const contentUrl = (site: string) => `https://author-p100-e200.example.com/bin/franklin.delivery/wknd/${site}/main`;
const click = (site: string, as: string | null = CARL, more: Readonly<Record<string, unknown>> = {}, id = repository.repositoryId) =>
  world.call('POST', `/organizations/wknd/repositories/${id}/sites`, { as, body: { site, contentUrl: contentUrl(site), ...more } });
const stored = async (site: string) => await world.backend.call('GET', `/config/wknd/sites/${site}.json`, { as: OPERATOR });
const served = async (site: string) =>
  await until(async () =>
    (await world.backend.visit('preview', `main--${site}--wknd`, '/styles/styles.css')).status === 200 ? true : undefined,
  );

it('registers the first site of a repository with its code, content and secret, and serves the code', async () => {
  const answer = await click('first');
  expect(answer.status, answer.text).toBe(201);
  expect(OneClickOutcome.parse(answer.json())).toMatchObject({
    site: 'first',
    holdsSecret: true,
    administeredBy: [OPERATOR],
    delivery: { event: 'site created', outcome: 'done', user: CARL },
  });
  expect((await stored('first')).json()).toMatchObject({
    code: { owner: '100', repo: repository.repositoryId, source: { type: 'byogit', secretId: 'cm-byog' } },
    content: { source: { url: contentUrl('first'), type: 'markup', suffix: '.html' } },
  });
  expect((await stored('first')).text).not.toContain('access');
  expect((await world.settled(repository.repositoryId, 'READY')).link).toMatchObject({ site: 'first', linkedBy: CARL });
  await served('first');
});

it('lets a further site share the repository without a secret, and leaves the first site linked', async () => {
  const answer = await click('second');
  expect(OneClickOutcome.parse(answer.json())).toMatchObject({ site: 'second', holdsSecret: false, delivery: { outcome: 'done' } });
  expect((await stored('second')).text).not.toContain('secretId');
  expect((await world.settled(repository.repositoryId, 'READY')).link?.site).toBe('first');
  for (const site of ['first', 'second']) await served(site);
});

it('adds no administrator: calls that need one are refused, and say who can grant it', async () => {
  await click('third');
  for (const [method, path, body] of [
    ['POST', 'access.json', { admin: { role: { admin: [CARL] } } }],
    ['POST', 'apiKeys.json', { description: 'Mine', roles: ['publish'] }],
    ['DELETE', '', undefined],
  ] as const) {
    const address = path === '' ? '/config/wknd/sites/third.json' : `/config/wknd/sites/third/${path}`;
    const answer = await world.backend.call(method, address, { as: CARL, ...(body === undefined ? {} : { body }) });
    const problem = Problem.parse(answer.json());
    expect([path, answer.status, problem.code, problem.data]).toEqual([path, 403, 'NOT_AUTHORIZED', { caller: CARL, grantedBy: OPERATOR }]);
    expect(problem.detail).toContain('The site has no administrator of its own, like every site created in one click.');
    expect(problem.detail).toContain(`An administrator can grant it: ${OPERATOR}.`);
  }
  const granted = await world.backend.call('POST', '/config/wknd/sites/third/access.json', {
    as: OPERATOR,
    body: { admin: { role: { admin: [CARL] } } },
  });
  expect(granted.status).toBe(200);
  expect((await world.backend.call('DELETE', '/config/wknd/sites/third.json', { as: CARL })).status).toBe(204);
});

it('sets the technical account only for administrators of the organization', async () => {
  const refused = await click('fourth', CARL, { technicalAccount: ACCOUNT });
  expect([refused.status, refused.headers['x-error-code']]).toEqual([403, 'NOT_AUTHORIZED']);
  expect((await stored('fourth')).status).toBe(404);
  expect((await click('fourth', OPERATOR, { technicalAccount: ACCOUNT })).status).toBe(201);
  expect((await stored('fourth')).json()).toMatchObject({ access: { admin: { role: { config_admin: [ACCOUNT] }, requireAuth: 'auto' } } });
  expect((await stored('fourth')).text).not.toContain(OPERATOR);
});

it.each([
  ['an anonymous caller', null, 401, 'NOT_AUTHENTICATED'],
  ['a developer of the organization', DORA, 403, 'NOT_AUTHORIZED'],
  ['a stranger', 'sam.stranger@example.com', 404, 'ORG_NOT_FOUND'],
])('is refused to %s', async (_, as, status, code) => {
  const refused = await click('fifth', as);
  expect([refused.status, refused.code]).toEqual([status, code]);
  expect((await stored('fifth')).status).toBe(404);
});

it.each([
  ['an existing site', 'first', {}, 409, 'SITE_EXISTS'],
  ['an invalid name', 'First', {}, 400, 'BODY_INVALID'],
  ['a name too long for a host', 'x'.repeat(60), {}, 400, 'HOST_LABEL_TOO_LONG'],
  ['the content of another site', 'sixth', { contentUrl: contentUrl('first') }, 400, 'CONTENT_ADDRESS_MISMATCH'],
  ['an invalid address', 'sixth', { contentUrl: 'somewhere' }, 400, 'BODY_INVALID'],
  ['an unknown property', 'sixth', { admin: CARL }, 400, 'BODY_INVALID'],
])('refuses %s as the service does, and changes nothing', async (_, site, more, status, code) => {
  const before = (await stored('first')).text;
  const answer = await click(site, CARL, more);
  expect([answer.status, answer.headers['x-error-code']], answer.text).toEqual([status, code]);
  expect((await stored('first')).text).toBe(before);
  expect((await world.settled(repository.repositoryId, 'READY')).link?.site).toBe('first');
});

it('refuses a repository that is not READY or has no main before it registers anything', async () => {
  const failed = await world.onboard({ accessToken: 'wrong' });
  await world.settled(failed.repositoryId, 'failed');
  const notReady = await click('seventh', CARL, {}, failed.repositoryId);
  expect([notReady.status, notReady.headers['x-error-code']]).toEqual([422, 'REPOSITORY_NOT_READY']);
  const started = await click('seventh', CARL, {}, (await world.withoutMain()).repositoryId);
  expect([started.status, started.headers['x-error']]).toEqual([
    404,
    'The repository "started" has no branch "main" yet. Push one, then create the site.',
  ]);
  expect((await stored('seventh')).status).toBe(404);
});

it('is refused by the service if another site holds the secret of an unlinked repository', async () => {
  await world.call('DELETE', `/organizations/wknd/repositories/${repository.repositoryId}/link`);
  const answer = await click('eighth');
  expect([answer.status, answer.headers['x-error-code']]).toEqual([400, 'SECRET_NOT_ALLOWED']);
  const { link } = await world.settled(repository.repositoryId, 'READY');
  expect([link, (await stored('eighth')).status]).toEqual([undefined, 404]);
});

it('does not mention one click for a site that has administrators', async () => {
  const access = { admin: { role: { admin: [OPERATOR] } } };
  await world.backend.call('PUT', '/config/wknd/sites/named.json', { as: OPERATOR, body: siteBody('wknd', 'named', { access }) });
  const answer = await world.backend.call('GET', '/config/wknd/sites/named.json', { as: 'sam.stranger@example.com' });
  expect([answer.status, answer.text.includes('one click')]).toEqual([404, false]);
});
it('serves the code of an external repository if build management has an internal address, and reaches no other internal address', async () => {
  const world = await startBuildWorld({}, ['wknd'], { claim: false, settings: { INTERNAL_ADDRESSES: 'refuse' } });
  const { backend } = world;
  // Claiming would call the code host, which is internal here too.
  await backend.store.write((writes) => writes.putOrg(org('wknd', { users: [{ id: '1', email: OPERATOR, roles: ['admin'] }] })));
  const put = (site: string, code: unknown) =>
    backend.call('PUT', `/config/wknd/sites/${site}.json?unchecked=true`, { as: OPERATOR, body: siteBody('wknd', site, { code }) });
  try {
    const { repositoryId } = await world.ready();
    const { code, secret } = await world.link(repositoryId, 'first');
    expect((await put('first', code)).status).toBe(200);
    const stored = await backend.call('POST', `/config/wknd/sites/first/secrets/${code.source.secretId}.json`, {
      as: OPERATOR,
      body: { value: secret },
    });
    expect(stored.status).toBe(200);
    expect((await codeCalls(backend).sync('first')).error).toBeUndefined();
    // A tenant may also name the same address by another host name, or another port of the same machine.
    const { url, raw_url: rawUrl } = code.source;
    for (const elsewhere of [
      (text: string) => text.replace('localhost', '127.0.0.1'),
      (text: string) => text.replace(/:\d+/, `:${world.vendor.address.split(':').pop()}`),
    ]) {
      const repo = `${code.repo}-2`;
      const source = { ...code.source, repo, url: elsewhere(url), raw_url: elsewhere(rawUrl) };
      const answer = await put('second', { ...code, repo, source });
      expect([200, 201], answer.text).toContain(answer.status);
      expect((await codeCalls(backend).sync('second')).error).toContain('is an internal address');
    }
  } finally {
    await world.stop();
  }
});
