import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import type { TestBackend } from './backend.ts';

/** What lies in the folder of the published copy: keys and texts. */
export async function copyIn(folder: string): Promise<Record<string, string>> {
  const keys = (await readdir(folder, { recursive: true }).catch(() => [])).filter((key) => key.endsWith('config.json'));
  return Object.fromEntries(await Promise.all(keys.toSorted().map(async (key) => [key, await readFile(join(folder, key), 'utf8')])));
}

/** What the hosts of sites answer, by the keys that the copy has for them; those that answer nothing are left out. */
export async function answersOf(backend: TestBackend, sites: readonly string[], org = 'wknd'): Promise<Record<string, string>> {
  const answers: Record<string, string> = {};
  for (const tier of ['live', 'preview'] as const) {
    for (const site of sites) {
      const { status, text } = await backend.visit(tier, `main--${site}--${org}`, '/config.json');
      if (status === 200) answers[`${tier}/${org}/${site}/config.json`] = text;
    }
  }
  return answers;
}

/** Waits until nothing waits to be published. */
export async function untilPublished({ store }: Pick<TestBackend, 'store'>): Promise<void> {
  await until(async () => expect(await store.publishing.waiting()).toEqual({ count: 0, oldest: undefined }));
}

export const until = (work: () => Promise<void>) => vi.waitFor(work, { timeout: 30_000, interval: 20 });
