import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { openBucket } from '@repoless/service/code/object-storage/bucket.ts';
import { bucketStorage } from '@repoless/service/code/object-storage/bucket.ts';
import { startTestBackend } from '../../support/backend.ts';
import { buildBackend, startChildBackend } from '../../support/child-backend.ts';
import { codeJourneys } from '../../support/code-journeys.ts';
import { killJourney } from '../../support/kill-journey.ts';
import { startBeforeAll } from '../../support/start-before-all.ts';
import { SECRET_KEY, startS3 } from './run-s3.ts';
let settings: Record<string, string>;
const logged: string[] = [];
const server = startBeforeAll(() => startS3());
beforeAll(async () => {
  settings = server.settings();
});

describe('code in a bucket', () => {
  const running = codeJourneys({
    options: async () => ({ settings, logged: (line) => logged.push(line) }),
    place: async () => bucketStorage(await openBucket(server.options(`${new URL(settings['CODE_STORE'] ?? '').pathname.slice(1)}/`))),
  });
  const visit = (path: string) => running().world.backend.visit('live', 'main--site--wknd', path);

  it.each(['was down', 'did not answer'])(
    'is served again as soon as the server that %s is back',
    async (how) => {
      const { world } = running();
      const isDown = how === 'was down';
      const later = isDown ? 'gone.txt' : 'silent.txt';
      await world.clone.push({ 'away.txt': `before it ${how}`, 'new.txt': 'x' });
      expect((await world.sync('site')).error).toBeUndefined();
      await world.clone.push({ 'away.txt': `after it ${how}`, [later]: how });
      if (isDown) await server.kill();
      else server.hang(true);
      for (const path of ['/away.txt', '/large.txt']) {
        const refused = await visit(path);
        expect([refused.status, refused.headers['retry-after'], refused.headers['x-error-code']]).toEqual([
          503,
          '1',
          'STORAGE_UNAVAILABLE',
        ]);
      }
      expect((await visit('/config.json')).status).toBe(200);
      // On a silent server each attempt takes its full timeout; the message is the same.
      if (isDown) expect((await world.sync('site')).error).toBe(AWAY);
      if (isDown) await server.start();
      else server.hang(false);
      expect((await visit('/away.txt')).text).toBe(`before it ${how}`);
      expect((await visit(`/${later}`)).status).not.toBe(200);
      expect((await world.sync('site')).error).toBeUndefined();
      expect([(await visit('/away.txt')).text, (await visit(`/${later}`)).text]).toEqual([`after it ${how}`, how]);
      expect(logged.join('')).toContain('The bucket did not answer');
      expect(logged.join('')).not.toContain(SECRET_KEY);
    },
    180_000,
  );

  it('is synced although the server is down for a moment', async () => {
    const { world } = running();
    await world.clone.push({ 'moment.txt': 'here' });
    await server.kill();
    const syncing = world.sync('site');
    await server.start();
    expect((await syncing).error).toBeUndefined();
    expect((await visit('/moment.txt')).text).toBe('here');
  });
});

describe('a service whose bucket', () => {
  it.each([
    ['does not exist', { CODE_STORE: 's3://no-such-bucket' }, /The bucket of s3:\/\/no-such-bucket\/ does not exist/],
    ['refuses the secret', { S3_SECRET_ACCESS_KEY: 'another-secret' }, /does not accept the credential/],
  ])(
    '%s does not start, and the error does not contain the secret',
    async (_, wrong, sentence) => {
      await buildBackend();
      const folder = await mkdtemp(join(tmpdir(), 'repoless-no-bucket-'));
      const outcome = await startChildBackend(folder, { ...settings, ...wrong }).then(
        () => 'It started.',
        (error: unknown) => String(error),
      );
      expect(outcome).toMatch(sentence);
      expect(outcome).not.toMatch(new RegExp(`${SECRET_KEY}|another-secret`));
      await rm(folder, { recursive: true });
    },
    120_000,
  );

  it('does not respond starts, and answers config.json', async () => {
    const backend = await startTestBackend({
      settings: { ...settings, S3_ENDPOINT: 'http://127.0.0.1:1' },
      logged: (line) => logged.push(line),
    });
    expect((await backend.call('GET', '/health')).status).toBe(200);
    await backend.stop();
    expect(logged.join('')).toContain('"requestId":"CODE_STORE"');
  });
});

describe('the service with code in a bucket', () => {
  killJourney(async () => server.settings());
});

const AWAY =
  'The storage for code does not respond. The previous code is still served. Synchronize again in a few minutes. If that fails too, contact the operator.';
