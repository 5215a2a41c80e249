import { afterEach, describe, expect, it } from 'vitest';
import { growTree } from '@repoless/sandbox/seed/grow-tree.ts';
import { startAuthor } from './author.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

const ADA = 'ada.admin@example.com';
const PATH = '/content/grown/aa/en/jcr:content.json';

describe('an authoring system in trouble', () => {
  const author = startBeforeAll(() => startAuthor(growTree({ sites: 3, pagesPerSite: 25 })));
  afterEach(() => author.fault({ mode: 'none' }));

  it.each([
    ['unavailable', 503],
    ['forbidden', 403],
    ['alternatives', 300],
    ['redirect', 302],
  ])('is %s', async (mode, status) => {
    await author.fault({ mode });
    expect((await author.get(PATH, { as: ADA })).status).toBe(status);
  });

  it('drops the connection when it is down', async () => {
    await author.fault({ mode: 'down' });
    await expect(author.get(PATH, { as: ADA })).rejects.toThrow();
  });

  it('answers late when it is slow', async () => {
    await author.fault({ mode: 'slow', delay: 300 });
    const begin = performance.now();
    expect((await author.get(PATH, { as: ADA })).status).toBe(200);
    expect(performance.now() - begin).toBeGreaterThan(280);
  });

  it('is well again after as many requests as were asked for', async () => {
    await author.fault({ mode: 'forbidden', times: 1, path: '/content' });
    expect((await author.get('/conf.json', { as: ADA })).status).toBe(404);
    expect((await author.get(PATH, { as: ADA })).status).toBe(403);
    expect((await author.get(PATH, { as: ADA })).status).toBe(200);
  });

  it('says that no token can be verified when the identity provider does not respond', async () => {
    const lonely = await startAuthor(growTree({ sites: 1, pagesPerSite: 1 }));
    const token = await lonely.issuer.token(ADA);
    await lonely.issuer.stop();
    expect((await lonely.get(PATH, { token })).status).toBe(503);
    await lonely.stop();
  });
});
