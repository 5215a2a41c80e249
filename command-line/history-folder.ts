import { parseJson } from '@repoless/core/api/exchange.ts';
import { StoredChange, type Store } from '@repoless/upstream/store.ts';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readText } from './read-text.ts';

/**
 * Keeps each change as a file `<organization>/<time>-<identifier>.json`: readable by people, mergeable by git, without credentials. What cannot be read
 * as one is left alone.
 */
export function openHistoryFolder(folder: string): Store {
  return {
    async put(change) {
      const place = join(folder, change.org);
      await mkdir(place, { recursive: true });
      const name = `${change.time.replaceAll(/[:.]/g, '-')}-${change.id.slice(0, 8)}.json`;
      await writeFile(join(place, name), `${JSON.stringify(change, null, 2)}\n`, { flag: 'wx' });
    },
    async changes(org) {
      const names = await readdir(join(folder, org)).catch(() => []);
      const changes: StoredChange[] = [];
      for (const name of names.filter((one) => one.endsWith('.json')).toSorted()) {
        const parsed = StoredChange.safeParse(parseJson((await readText(join(folder, org, name))) ?? ''));
        if (parsed.success) changes.push(parsed.data);
      }
      return changes;
    },
  };
}
