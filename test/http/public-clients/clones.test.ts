import { beforeAll, describe, expect, it } from 'vitest';
import { EXTENSION_ORIGIN, OPERATOR, siteBody, startTestBackend } from '../../support/backend.ts';
import { startBeforeAll } from '../../support/start-before-all.ts';
import { browserClient } from './public-client.ts';
import type { PublicClient } from './public-client.ts';
let page: PublicClient;

const backend = startBeforeAll(() => startTestBackend());
beforeAll(async () => {
  page = browserClient(backend, EXTENSION_ORIGIN, { 'x-auth-token': await backend.token(OPERATOR) });
});

/** Kinds of documents, with what makes the first one of each. */
const KINDS = [
  ['sites', siteBody('wknd', 'source', { title: 'Source', content: { source: { type: 'markup', url: 'https://content.example.com/' } } })],
  ['profiles', { title: 'Source', headers: { '/**': [{ key: 'x-made', value: 'yes' }] } }],
] as const;

describe.each(KINDS)('a page that copies %s', (kind, first) => {
  const at = (name: string, generation = 'config') =>
    generation === 'config' ? `/config/wknd/${kind}/${name}.json` : `/wknd/${kind}/${name}/config.json`;
  const told = (name: string) => `The name "source" in the body is not used: the address names "${name}".`;

  beforeAll(async () => {
    expect((await page.call('PUT', at('source'), { body: first })).status).toBe(201);
  });

  it.each([
    ['POST', 'config'],
    ['PUT', 'config'],
    ['POST', 'newer'],
    ['PUT', 'newer'],
  ])('sends by %s (%s addresses) the document that it read to another address, whose name it gets', async (method, generation) => {
    const copy = `copy-${method.toLowerCase()}-${generation}`;
    const read = Object((await page.call('GET', at('source', generation))).json());
    expect(read.name).toBe('source');
    const made = await page.call(method, at(copy, generation), { body: read });
    expect([made.status, made.header('x-warning')], made.text).toEqual([201, told(copy)]);
    const { created, lastModified, name, ...rest } = Object((await page.call('GET', at(copy))).json());
    expect(name).toBe(copy);
    expect(rest).toEqual(
      Object.fromEntries(Object.entries(read).filter(([member]) => !['created', 'lastModified', 'name'].includes(member))),
    );
    expect(Date.parse(created)).toBeGreaterThan(Date.parse(read.created));
    expect(lastModified).toBe(created);
  });

  it('is told by a dry run, on a document that is there and that does not change, and of any name', async () => {
    const read = Object((await page.call('GET', at('source'))).json());
    const tried = await page.call('POST', `${at('tried')}?dryRun=true`, { body: read });
    expect(tried.json()).toMatchObject({ status: 201, warnings: [told('tried')] });
    const again = await page.call('POST', at('copy-post-config'), { body: read });
    expect([again.status, again.header('x-warning')]).toEqual([200, told('copy-post-config')]);
    const odd = await page.call('POST', at('source'), { body: { ...read, name: `Ü\n${'x'.repeat(5000)}` } });
    expect(odd.status, odd.text).toBe(200);
    expect(odd.header('x-warning')).toMatch(/^The name "\?\?x{78}\.\.\." in the body is not used: the address names "source"\.$/);
    const same = await page.call('POST', at('source'), { body: read });
    expect([same.status, same.header('x-warning')]).toEqual([200, undefined]);
  });
});

it('An organization keeps the name of its address, and says that another one is not used', async () => {
  const read = Object((await page.call('GET', '/config/wknd.json')).json());
  for (const method of ['POST', 'PUT']) {
    const sent = await page.call(method, '/config/wknd.json', { body: { ...read, name: 'acme', title: method } });
    const sentence = 'The name "acme" in the body is not used: the address names "wknd".';
    expect([sent.status, sent.header('x-warning'), Object(sent.json()).name], sent.text).toEqual([200, sentence, 'wknd']);
    const tried = await page.call(method, '/config/wknd.json?dryRun=true', { body: { ...read, name: 'acme' } });
    expect(tried.json()).toMatchObject({ warnings: [sentence] });
  }
});
