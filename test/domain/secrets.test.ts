import { openSecretBox } from '@repoless/service/db/key-files.ts';
import { resealSecrets } from '@repoless/service/composition/code.ts';
import { newSecretKeys, readSecretBox } from '@repoless/service/secrets/secret-box.ts';
import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../support/child-backend.ts';
import { sqliteEngine } from '../support/each-store.ts';
import { stopAfterTest } from '../support/start-before-all.ts';

const PLACE = { org: 'acme', site: 'one', name: 'cm-byog' };
const VALUE = 'the-value-of-the-secret';

describe('a sealed secret', () => {
  const box = readSecretBox(newSecretKeys());

  it('opens only for its own site, with its own key and unchanged', () => {
    const sealed = box.seal(VALUE, PLACE);
    expect(sealed).not.toContain(VALUE);
    expect(box.seal(VALUE, PLACE)).not.toBe(sealed);
    expect(box.open(sealed, PLACE).use((value) => value)).toBe(VALUE);
    expect(() => box.open(sealed, { ...PLACE, site: 'two' })).toThrow();
    expect(() => box.open(`${sealed.slice(0, -2)}AA`, PLACE)).toThrow();
    expect(() => readSecretBox(newSecretKeys()).open(sealed, PLACE)).toThrow('not in the key file');
  });

  it('is printed as “[sealed]” everywhere', () => {
    const value = box.open(box.seal(VALUE, PLACE), PLACE);
    expect([String(value), JSON.stringify({ value }), inspect({ value })].join()).not.toContain(VALUE);
    expect(`${String(value)}`).toBe('[sealed]');
  });
});

describe('sealing keys', () => {
  const engine = sqliteEngine();

  it('are created at the first start, readable only by their owner, and used again', async () => {
    const file = await keyFile();
    const sealed = (await openSecretBox(file)).seal(VALUE, PLACE);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await openSecretBox(file)).open(sealed, PLACE).use((value) => value)).toBe(VALUE);
    await writeFile(file, '{"keys":[]}');
    await expect(openSecretBox(file)).rejects.toThrow(file);
  });

  it('are rotated by adding a new one first: secrets sealed by the old one are sealed again', async () => {
    const store = await engine.open();
    const [old, fresh] = [keysOf(newSecretKeys()), keysOf(newSecretKeys())];
    const before = readSecretBox(JSON.stringify({ keys: old }));
    const now = new Date();
    const secret = { ...PLACE, type: 'key', sealed: before.seal(VALUE, PLACE), created: now, lastModified: now } as const;
    await store.write((writes) => writes.putSecret(secret));
    expect(await resealSecrets(store, readSecretBox(JSON.stringify({ keys: [...fresh, ...old] })))).toEqual({ resealed: 1, unreadable: 0 });
    const after = readSecretBox(JSON.stringify({ keys: fresh }));
    const stored = await store.reads.secret(PLACE.org, PLACE.site, PLACE.name);
    expect(after.open(stored?.sealed ?? '', PLACE).use((value) => value)).toBe(VALUE);
    expect(await resealSecrets(store, before)).toEqual({ resealed: 0, unreadable: 1 });
  });
});

function keysOf(text: string): unknown[] {
  return (JSON.parse(text) as { keys: unknown[] }).keys;
}

async function keyFile(): Promise<string> {
  return join((await stopAfterTest(temporaryDirectory())).path, 'secret-keys.json');
}
