import { expect, it } from 'vitest';
import { OPERATOR as as, siteBody, startTestBackend } from '../support/backend.ts';
import type { TestBackend } from '../support/backend.ts';
import type { TestAnswer } from '../support/ask.ts';
import { eachStore } from '../support/each-store.ts';
import { meanwhile } from '../support/meanwhile.ts';

const at = (site: string) => `/config/wknd/sites/${site}.json`;

eachStore((engine) => {
  it('a site that is registered while the holder of its secret goes is decided on again, and so is the removal', async () => {
    const { open } = await engine.place();
    const between = meanwhile();
    const backend = await startTestBackend({ dryRun: false, open: async () => between.within(await open()) });

    // The holder is removed between the decision on another site and its commit.
    expect((await put(backend, 'removed', '100', true)).status).toBe(201);
    between.next(async () => expect((await remove(backend, 'removed')).status).toBe(204));
    const alone = await put(backend, 'alone', '100');
    expect([alone.status, alone.text]).toEqual([400, expect.stringContaining('This is the first site of the repository 100/100')]);
    expect((await backend.call('GET', at('alone'), { as })).status).toBe(404);

    // It gets another code source then.
    expect((await put(backend, 'moved', '200', true)).status).toBe(201);
    between.next(async () => {
      const moved = await backend.call('PUT', at('moved'), { as, body: siteBody('wknd', 'moved') });
      expect(moved.status, moved.text).toBe(200);
    });
    const left = await put(backend, 'left', '200');
    expect([left.status, left.text]).toEqual([400, expect.stringContaining('This is the first site of the repository 100/200')]);

    // Another site comes to use the secret between the decision on the removal of its holder and the commit.
    expect((await put(backend, 'held', '300', true)).status).toBe(201);
    between.next(async () => expect((await put(backend, 'user', '300')).status).toBe(201));
    const refused = await remove(backend, 'held');
    expect([refused.status, refused.headers['x-error-code']]).toEqual([409, 'SECRET_IN_USE']);
    expect((await backend.call('GET', at('held'), { as })).status).toBe(200);

    // Another site comes to hold the secret while it is stored with one that did not name it.
    expect((await put(backend, 'before', '400', true)).status).toBe(201);
    expect((await put(backend, 'other', '400')).status).toBe(201);
    expect((await backend.call('PUT', at('before'), { as, body: siteBody('wknd', 'before') })).status).toBe(200);
    between.next(async () => expect((await put(backend, 'holder', '400', true)).status).toBe(201));
    const stored = await backend.call('POST', '/config/wknd/sites/other/secrets/cm-byog.json', { as, body: { value: 'a-secret-value' } });
    expect([stored.status, stored.headers['x-error-code']]).toEqual([400, 'SECRET_NOT_ALLOWED']);
    await backend.stop();
  });

  it('of a removal and a registration at once on several nodes one is refused', async () => {
    const { open } = await engine.place();
    const nodes = [await startTestBackend({ dryRun: false, open })];
    if (engine.name === 'PostgreSQL') nodes.push(await startTestBackend({ dryRun: false, claim: false, open }));
    const [first, second = first] = nodes;
    if (first === undefined || second === undefined) throw new Error('There is no node.');
    const repositories = Array.from({ length: 24 }, (_, n) => `${500 + n}`);
    for (const repo of repositories) expect((await put(first, `h${repo}`, repo, true)).status).toBe(201);
    const ends = await Promise.all(
      repositories.map(async (repo) => {
        const [removed, made] = await Promise.all([remove(first, `h${repo}`), put(second, `u${repo}`, repo)]);
        return `${removed.status} ${made.status}`;
      }),
    );
    expect(ends.filter((end) => end !== '204 400' && end !== '409 201')).toEqual([]);
    for (const node of nodes) await node.stop();
  });
});

async function put(backend: TestBackend, site: string, repo: string, holds = false): Promise<TestAnswer> {
  const address = `https://build.example.com/100/${repo}`;
  const source = { type: 'byogit', url: address, raw_url: address, owner: '100', repo, ...(holds && { secretId: 'cm-byog' }) };
  return await backend.call('PUT', at(site), { as, body: siteBody('wknd', site, { code: { owner: '100', repo, source } }) });
}

function remove(backend: TestBackend, site: string): Promise<TestAnswer> {
  return backend.call('DELETE', at(site), { as });
}
