import { expect, it } from 'vitest';
import type { Store, Writes } from '@repoless/service/domain/ports.ts';
import { siteWrite } from '../support/builders.ts';
import { eachStore } from '../support/each-store.ts';

const ORG = 'acme';
const WRITERS = 16;
const subject = (site: string) => ({ kind: 'site', org: ORG, site }) as const;

eachStore((engine) => {
  it('lets the writers of one site decide once each, on what the one before left', async () => {
    const store = await engine.open();
    const seen: number[] = [];
    const write = () => store.write((writes) => nextVersion(writes, 'site', seen), subject('site'));
    await Promise.all(Array.from({ length: WRITERS }, write));
    expect(seen).toEqual(Array.from({ length: WRITERS }, (_, index) => index));
    expect(await versionOf(store, 'site')).toBe(WRITERS);
  });

  it('lets the writer of another site pass', async () => {
    const store = await engine.open();
    let end: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      end = resolve;
    });
    const first = store.write(async (writes) => {
      await held;
      await nextVersion(writes, 'site');
    }, subject('site'));
    await store.write((writes) => nextVersion(writes, 'other'), subject('other'));
    expect([await versionOf(store, 'site'), await versionOf(store, 'other')]).toEqual([0, 1]);
    end();
    await first;
  });

  it('does not let one that is refused hold the others up, nor one that never decides', async () => {
    const store = await engine.open();
    const refused = store.write(() => Promise.reject(new Error('no')), subject('site'));
    let end: () => void = () => undefined;
    const stuck = store.write(
      (writes) => new Promise<void>((resolve) => (end = resolve)).then(() => nextVersion(writes, 'site')),
      subject('site'),
    );
    const after = store.write((writes) => nextVersion(writes, 'site'), subject('site'));
    await expect(refused).rejects.toThrow('no');
    await after;
    expect(await versionOf(store, 'site')).toBe(1);
    end();
    await stuck;
    expect(await versionOf(store, 'site')).toBe(2);
  });
});

async function nextVersion(writes: Writes, site: string, seen: number[] = []): Promise<void> {
  const present = await writes.site(ORG, site);
  const version = present?.version ?? 0;
  seen.push(version);
  await writes.putSite(siteWrite(site, {}, version + 1));
}

async function versionOf({ reads }: Store, site: string): Promise<number> {
  return (await reads.site(ORG, site))?.version ?? 0;
}
