import { openStore } from '@repoless/service/db/open-store.ts';
import { Database } from '@repoless/service/db/sqlite/connect.ts';
import { newSecretKeys } from '@repoless/service/secrets/secret-box.ts';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { OPERATOR, siteBody, startTestBackend } from '../support/backend.ts';
import { temporaryDirectory } from '../support/child-backend.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

const Keys = z.object({ keys: z.array(z.unknown()) });
let dataDir: string;
const log: string[] = [];

const folder = startBeforeAll(() => temporaryDirectory());
beforeAll(async () => {
  dataDir = join(folder.path, 'data');
});

const start = (opened: () => void = () => undefined) =>
  startTestBackend({
    dryRun: false,
    claim: false,
    settings: { DATA_DIR: dataDir },
    logged: (line) => log.push(line),
    async open() {
      const store = await openStore({ dataDir });
      opened();
      return store;
    },
  });

it('a secret that could not be stored under the newest key is not called unreadable, and is sealed again at the next start', async () => {
  const first = await start();
  const call = async (method: string, path: string, body?: unknown) => {
    const answer = await first.call(method, path, { as: OPERATOR, ...(body !== undefined && { body }) });
    expect(answer.status, answer.text).toBeLessThan(300);
  };
  await call('PUT', '/config/wknd.json', {});
  await call('PUT', '/config/wknd/sites/one.json', siteBody('wknd', 'one'));
  await call('POST', '/config/wknd/sites/one/secrets/key.json', { value: 'the-value' });
  await call('POST', '/config/wknd/subscriptions.json', { channel: { type: 'webhook', url: 'https://hooks.example.com/' } });
  await first.stop();
  const file = join(dataDir, 'secret-keys.json');
  const [before, made] = [await readFile(file, 'utf8'), newSecretKeys()].map((text) => Keys.parse(JSON.parse(text)).keys);
  await writeFile(file, JSON.stringify({ keys: [...(made ?? []), ...(before ?? [])] }));

  const other = new Database(join(dataDir, 'repoless.sqlite'));
  const held = await start(() => other.exec('begin immediate'));
  other.exec('rollback');
  other.close();
  expect(log.join('\n')).not.toContain('cannot be opened');
  expect(log.join('\n')).toContain(`Secrets could not be stored under the newest key of ${file}. Keep the older keys, and restart.`);
  expect((await held.call('GET', '/ready')).status).toBe(200);
  await held.stop();

  const last = await start();
  expect(log.join('\n')).toContain('2 secrets were sealed again under the newest key.');
  await last.stop();
});
