import { expect, it } from 'vitest';
import { OPERATOR, siteBody } from '../support/backend.ts';
import { org } from '../support/builders.ts';
import { codeCalls } from '../support/code-world.ts';
import { startBuildWorld } from './world.ts';

it('serves the code of an external repository where build management has an internal address, and reaches no other one', async () => {
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
