import { parseJson } from '@repoless/core/api/exchange.ts';
import type { Store, StoredKind } from '@repoless/upstream/store.ts';
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readText } from './read-text.ts';

/**
 * Stores each change as a file `<organization>/<time>-<identifier>.json`: readable by people, mergeable by git, without credentials.
 * Everything else is in folders next to them. Ignores files that are not JSON.
 */
export function openHistoryFolder(folder: string): Store {
  const place = (kind: StoredKind, org: string) => join(folder, org, ...(kind === 'change' ? [] : [`${kind}s`]));
  const read = async (file: string) => parseJson((await readText(file)) ?? '');
  return {
    async put(kind, org, id, value) {
      await mkdir(place(kind, org), { recursive: true });
      const file = join(place(kind, org), `${id}.json`);
      const written = `${file}.${randomUUID()}`;
      await writeFile(written, `${JSON.stringify(value, null, 2)}\n`);
      await rename(written, file);
    },
    get: (kind, org, id) => read(join(place(kind, org), `${id}.json`)),
    remove: (kind, org, id) => rm(join(place(kind, org), `${id}.json`), { force: true }),
    async list(kind, org, newest) {
      const names = await readdir(place(kind, org)).catch(() => []);
      const files = names
        .filter((one) => one.endsWith('.json'))
        .toSorted()
        .slice(newest === undefined ? 0 : -newest);
      return (await Promise.all(files.map((name) => read(join(place(kind, org), name))))).filter((value) => value !== undefined);
    },
  };
}
