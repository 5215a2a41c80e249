import { describe, expect, it } from 'vitest';
import { OPERATOR, siteBody, startTestBackend } from '../support/backend.ts';
import { startBeforeAll } from '../support/start-before-all.ts';
import { rolloutCalls } from './rollout-calls.ts';

/** Neither in alphabetical order nor by their lengths. */
const WRITTEN = ['/zoo/**', '/**', '/a/long/path', '/b'];
const OTHER = ['/b', '/**', '/zoo/**', '/a/long/path'];
const SITE = '/config/wknd/sites/ordered';
const backend = startBeforeAll(() => startTestBackend());

const headersFor = (paths: readonly string[], value = 'one') =>
  Object.fromEntries(paths.map((path) => [path, [{ key: 'x-brand', value }]]));
const orderOf = (value: unknown): string[] => Object.keys(Object(Reflect.get(Object(value), 'headers') ?? value));

async function call(method: string, path: string, body?: object, headers: Record<string, string> = {}) {
  const answer = await backend.call(method, path, { as: OPERATOR, headers, ...(body !== undefined && { body }) });
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer;
}
const read = async (path: string): Promise<unknown> => (await call('GET', path)).json();

describe('The paths of headers', () => {
  it('stay in the order in which they were written, wherever the site is read', async () => {
    const made = await call('PUT', `${SITE}.json`, siteBody('wknd', 'ordered', { headers: headersFor(WRITTEN) }));
    expect(orderOf(made.json())).toEqual(WRITTEN);
    for (const path of [`${SITE}.json`, `${SITE}/headers.json`, '/config/wknd/aggregated/ordered.json'])
      expect([path, orderOf(await read(path))]).toEqual([path, WRITTEN]);
    const { data } = Object(await read(`${SITE}/versions/1.json`));
    expect(orderOf(data)).toEqual(WRITTEN);
    // All other keys are in alphabetical order.
    expect(Object.keys(Object(made.json()))).toEqual(Object.keys(Object(made.json())).toSorted());
  });

  it('make another site in another order: another etag, version and difference, which leads there', async () => {
    const [before, part] = [await call('GET', `${SITE}.json`), await call('GET', `${SITE}/headers.json`)];
    const tried = await call('POST', `${SITE}/headers.json?dryRun=true`, headersFor(OTHER));
    const { diff, result } = tried.json() as { diff: unknown; result: unknown };
    expect(diff).toEqual([{ op: 'replace', path: '', value: headersFor(OTHER) }]);
    expect(orderOf(result)).toEqual(OTHER);
    await call('POST', `${SITE}/headers.json`, headersFor(OTHER), { 'if-match': part.headers['etag'] ?? '' });
    const [after, partAfter] = [await call('GET', `${SITE}.json`), await call('GET', `${SITE}/headers.json`)];
    expect([orderOf(after.json()), after.headers['etag'] === before.headers['etag']]).toEqual([OTHER, false]);
    expect(partAfter.headers['etag']).not.toBe(part.headers['etag']);
    const [change] = (await read(`${SITE}/versions/1...2.json`)) as { value: object }[];
    expect(orderOf(change?.value)).toEqual(OTHER);
    await call('POST', `${SITE}.json?restoreVersion=1`);
    expect(orderOf(await read(`${SITE}.json`))).toEqual(WRITTEN);
  });

  it('make no new version in the same order', async () => {
    const { current } = Object(await read(`${SITE}/versions.json`));
    await call('POST', `${SITE}/headers.json`, headersFor(WRITTEN));
    expect(Object(await read(`${SITE}/versions.json`)).current).toBe(current);
  });

  it('are added to a difference where they come last', async () => {
    const { diff } = (await call('POST', `${SITE}/headers.json?dryRun=true`, headersFor([...WRITTEN, '/aa']))).json() as { diff: unknown };
    expect(diff).toEqual([{ op: 'add', path: '/~1aa', value: headersFor(['/aa'])['/aa'] }]);
  });

  it('of a profile come first, then those that its site adds', async () => {
    await call('PUT', '/config/wknd/profiles/base.json', { headers: headersFor(WRITTEN) });
    expect(orderOf(await read('/config/wknd/profiles/base.json'))).toEqual(WRITTEN);
    await call('PUT', '/config/wknd/sites/extending.json', {
      ...siteBody('wknd', 'extending', { public: {}, headers: headersFor(['/a', '/b', '/**'], 'own') }),
      extends: { profile: 'base' },
    });
    expect(orderOf(await read('/config/wknd/aggregated/extending.json'))).toEqual([...WRITTEN, '/a']);
    await call('POST', '/config/wknd/profiles/base/headers.json', headersFor(OTHER));
    expect(orderOf(await read('/config/wknd/aggregated/extending.json'))).toEqual([...OTHER, '/a']);
  });

  it('stay so in a rollout, and after it is undone', async () => {
    const rollouts = rolloutCalls(backend);
    const set = (value: object) => ({ title: 'Order', sites: ['ordered'], edits: [{ op: 'set', path: '/headers', value }] });
    const id = await rollouts.start(set(headersFor(OTHER)));
    await rollouts.rested(id);
    expect(orderOf(await read(`${SITE}.json`))).toEqual(OTHER);
    await rollouts.ordered(id, 'undo');
    await rollouts.rested(id);
    expect(orderOf(await read(`${SITE}.json`))).toEqual(WRITTEN);
  });
});
