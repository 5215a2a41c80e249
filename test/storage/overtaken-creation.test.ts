import { expect, it } from 'vitest';
import type { Store, Writes } from '@repoless/service/domain/ports.ts';
import { siteWrite } from '../support/builders.ts';
import { eachStore } from '../support/each-store.ts';

eachStore((engine) => {
  it('decides a creation again when somebody else makes the site between its looking and its writing', async () => {
    const store = await engine.open();
    const found: boolean[] = [];
    await store.write(async (writes) => {
      const present = await writes.site('acme', 'site');
      found.push(present !== undefined);
      if (found.length === 1) await create(store);
      await put(writes, present?.version ?? (await writes.latestVersion({ kind: 'site', org: 'acme', site: 'site' })));
    });
    expect(found).toEqual([false, true]);
    expect((await store.reads.versions({ kind: 'site', org: 'acme', site: 'site' })).map(({ version }) => version)).toEqual([2, 1]);
  });
});

function create(store: Store): Promise<void> {
  return store.write((writes) => put(writes, 0));
}

async function put(writes: Writes, latest: number): Promise<void> {
  const site = siteWrite('site', { title: `After ${latest}` }, latest + 1);
  const { org, version, config } = site;
  const time = new Date();
  await writes.putSite(site);
  await writes.addVersion({ subject: { kind: 'site', org, site: site.site }, version, created: time, data: config });
  await writes.addAudit({ org, site: site.site, time, user: 'ada@example.com', action: 'put-site', requestId: 'r', to: version });
}
