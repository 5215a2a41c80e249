import { expect, it } from 'vitest';
import { siteWrite } from '../support/builders.ts';
import { eachStore } from '../support/each-store.ts';
import { putSite } from './put-site.ts';

eachStore((engine) => {
  it('counts what an organization has, with each change', async () => {
    const store = await engine.open();
    const usage = () => store.reads.usage('acme');
    expect(await usage()).toEqual({ sites: 0, versions: 0, bytes: 0, secrets: 0, apiKeys: 0 });

    const site = siteWrite();
    const bytes = Buffer.byteLength(JSON.stringify(site.config));
    await putSite(store, site);
    expect(await usage()).toEqual({ sites: 1, versions: 1, bytes: 2 * bytes, secrets: 0, apiKeys: 0 });

    const longer = { ...site, version: 2, config: { ...site.config, title: 'ä' } };
    const more = Buffer.byteLength(JSON.stringify(longer.config));
    await putSite(store, longer);
    expect(await usage()).toMatchObject({ sites: 1, versions: 2, bytes: bytes + 2 * more });

    const secret = {
      org: 'acme',
      site: site.site,
      name: 's',
      type: 'key',
      sealed: 'x',
      created: new Date(),
      lastModified: new Date(),
    } as const;
    for (const sealed of ['x', 'y']) await store.write((writes) => writes.putSecret({ ...secret, sealed }));
    expect(await usage()).toMatchObject({ secrets: 1 });

    await store.write((writes) => writes.deleteVersion({ kind: 'site', org: 'acme', site: site.site }, 1));
    expect(await usage()).toMatchObject({ versions: 1, bytes: 2 * more });
    await store.write((writes) => writes.deleteSite('acme', site.site, new Date()));
    expect(await usage()).toEqual({ sites: 0, versions: 1, bytes: more, secrets: 0, apiKeys: 0 });
    expect(await store.reads.usage('other')).toMatchObject({ sites: 0, bytes: 0 });
  });
});
