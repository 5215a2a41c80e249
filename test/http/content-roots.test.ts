import { beforeAll, expect, it } from 'vitest';
import { OPERATOR, publicPart, siteBody, startTestBackend } from '../support/backend.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

const ADDRESS = 'author-p100-e200.example.com';
const backend = startBeforeAll(() => startTestBackend({ orgs: ['wknd', 'acme'] }));
beforeAll(async () => {
  const body = siteBody('wknd', 'first', { public: publicPart('first') });
  expect((await backend.call('PUT', '/config/wknd/sites/first.json', { as: OPERATOR, body })).status).toBe(201);
});

const delivery = '/bin/franklin.delivery/wknd/second/main';
const put = (url: string, mapping: string) =>
  backend.call('PUT', '/config/wknd/sites/second.json', {
    as: OPERATOR,
    body: siteBody('wknd', 'second', { content: { source: { url, type: 'markup' } }, public: { paths: { mappings: [mapping] } } }),
  });

it.each([
  ['http for https', `http://${ADDRESS}${delivery}`, '/content/first/:/'],
  ['a final dot', `https://${ADDRESS}.${delivery}`, '/content/first/:/'],
  ['capitals', `https://${ADDRESS.toUpperCase()}${delivery}`, '/content/first/:/'],
  ['the default port', `https://${ADDRESS}:443${delivery}`, '/content/first/:/'],
  ['an escaped host', `https://%61${ADDRESS.slice(1)}${delivery}`, '/content/first/:/'],
  ['an escaped address', `https://${ADDRESS}/b%69n/franklin.delivery/wknd/second/main`, '/content/first/:/'],
  ['a query', `https://${ADDRESS}${delivery}?x=1`, '/content/first/:/'],
  ['an escaped path', `https://${ADDRESS}${delivery}`, '/content/%66irst/:/'],
])('a content root is taken once, whatever its spelling: %s', async (_, url, mapping) => {
  const answer = await put(url, mapping);
  expect([answer.status, answer.headers['x-error-code']], answer.text).toEqual([409, 'CONTENT_ROOT_TAKEN']);
  expect(answer.headers['x-error']).toBe(
    `The content root ${ADDRESS}/content/first already belongs to site "wknd/first". A content root can belong to only one site.`,
  );
});

const mapped = (site: string, ...mappings: string[]) =>
  backend.call('PUT', `/config/wknd/sites/${site}.json`, {
    as: OPERATOR,
    body: siteBody('wknd', site, {
      content: { source: { url: `https://${ADDRESS}/bin/franklin.delivery/wknd/${site}/main`, type: 'markup' } },
      public: { paths: { mappings } },
    }),
  });
const TAKEN = [409, 'CONTENT_ROOT_TAKEN'];
const codesOf = ({ status, headers }: Awaited<ReturnType<typeof mapped>>) => [status, headers['x-error-code']];

it('of several trees onto "/" the first is the content root, and one below it may be another site’s', async () => {
  expect(codesOf(await mapped('trees', '/content/trees/:/', '/content/trees/en/:/'))).toEqual([201, undefined]);
  expect(codesOf(await mapped('trees-en', '/content/trees/en/:/'))).toEqual([201, undefined]);
  expect(codesOf(await mapped('other-trees', '/content/trees/:/'))).toEqual(TAKEN);
  // Both go on as they are.
  expect(codesOf(await mapped('trees', '/content/trees/:/', '/content/trees/en/:/', '/content/trees/x:/x'))).toEqual([200, undefined]);
});

it('no site maps the root of another one to "/" beside its own', async () => {
  expect(codesOf(await mapped('beside', '/content/beside/:/', '/content/first/:/'))).toEqual(TAKEN);
  expect(codesOf(await mapped('beside', '/content/beside/:/', '/content/first/:/first/', '/content/nobody/:/'))).toEqual([201, undefined]);
});

it('all content of a host is nobody’s root', async () => {
  for (const site of ['whole', 'whole-too']) expect(codesOf(await mapped(site, '/:/'))).toEqual([201, undefined]);
});

it('a start page of its own is no root where a tree is mapped', async () => {
  expect(codesOf(await mapped('homely', '/content/homely/home:/', '/content/homely/:/'))).toEqual([201, undefined]);
  expect(codesOf(await mapped('homely-too', '/content/homely/:/'))).toEqual(TAKEN);
});

it('another organization is not told whose it is', async () => {
  const body = siteBody('acme', 'third', {
    content: { source: { url: `https://${ADDRESS}/bin/franklin.delivery/acme/third/main`, type: 'markup' } },
    public: publicPart('first'),
  });
  const answer = await backend.call('PUT', '/config/acme/sites/third.json', { as: OPERATOR, body });
  expect([answer.status, answer.headers['x-error-code']]).toEqual([409, 'CONTENT_ROOT_TAKEN']);
  expect(answer.headers['x-error']).toContain('already belongs to a site of another organization');
  expect(answer.text).not.toContain('wknd');
});

it('another host, port or path is another content root', async () => {
  for (const url of [`https://author-p100-e201.example.com${delivery}`, `https://${ADDRESS}:8443${delivery}`]) {
    const answer = await put(url, '/content/first/:/');
    expect([200, 201]).toContain(answer.status);
  }
  expect((await put(`https://${ADDRESS}${delivery}`, '/content/First/:/')).status).toBe(200);
});

it('the address of another site is refused in every spelling', async () => {
  const answer = await put(`https://${ADDRESS}/bin/fr%61nklin.delivery/wknd/fir%73t/main`, '/content/second/:/');
  expect(answer.headers['x-error']).toBe('The content address belongs to site "wknd/first", but this is site "wknd/second".');
});
