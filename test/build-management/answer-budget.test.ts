import { LIMITS } from '@repoless/contract/limits.ts';
import { createAnswerBudget } from '@repoless/service/build-management/http/build-management-app.ts';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { asMember, git, startBuildWorld } from './world.ts';
import { startBeforeAll } from '../support/start-before-all.ts';
import { temporaryDirectory } from '../support/child-backend.ts';

/** More than the buffers of a connection hold. */
const SIZE = 16 * 1024 * 1024;
const files = new Map<string, { readonly path: string; readonly headers: Readonly<Record<string, string>> }>();
const world = startBeforeAll(() => startBuildWorld({ FILE_LIMIT: String(SIZE) }, ['busy', 'other']));
const folder = startBeforeAll(temporaryDirectory);
beforeAll(async () => {
  await pushFilm();
  for (const org of ['busy', 'other']) files.set(org, await largeFile(org));
});

async function pushFilm(): Promise<void> {
  await git('clone', '--quiet', asMember(world.vendor), folder.path);
  await writeFile(join(folder.path, 'film.bin'), Buffer.alloc(SIZE));
  await git('-C', folder.path, 'add', '--all');
  await git('-C', folder.path, 'commit', '--quiet', '--message', 'Film');
  await git('-C', folder.path, 'push', '--quiet', 'origin', 'main');
}

/** A large file of a repository of an organization, as the holder of its secret requests it. */
async function largeFile(org: string) {
  const { onboard, settled, link } = world.of(org);
  const { repositoryId } = await onboard();
  await settled(repositoryId, 'READY');
  const { secret } = await link(repositoryId, 'site');
  return { path: `/raw/100/${repositoryId}/main/film.bin`, headers: { authorization: `token ${secret}` } };
}

/** Requests the file, and reads only the headers. */
async function slowReader(org: string): Promise<{ readonly incoming: IncomingMessage; leave(): void }> {
  const { path, headers } = files.get(org) ?? { path: '', headers: {} };
  const outgoing = request({ hostname: '127.0.0.1', port: new URL(world.address()).port, path, headers, agent: false });
  outgoing.on('error', () => undefined);
  const answered = once(outgoing, 'response') as Promise<[IncomingMessage]>;
  outgoing.end();
  const [incoming] = await answered;
  incoming.on('error', () => undefined);
  return { incoming, leave: () => void outgoing.destroy() };
}

it('an organization may read two of the largest files at once, and other organizations are still served', async () => {
  const readers = [];
  for (let count = 0; count < LIMITS.codeAnswers / 2; count += 1) readers.push(await slowReader('busy'));
  for (const { incoming } of readers) expect(incoming.statusCode).toBe(200);
  const refused = await slowReader('busy');
  expect([refused.incoming.statusCode, refused.incoming.headers['x-error-code'], refused.incoming.headers['retry-after']]).toEqual([
    503,
    'OVERLOADED',
    '5',
  ]);
  refused.leave();
  const other = await slowReader('other');
  expect(other.incoming.statusCode).toBe(200);
  let bytes = 0;
  for await (const chunk of other.incoming as AsyncIterable<Buffer>) bytes += chunk.length;
  expect(bytes).toBe(SIZE);

  for (const { leave } of readers) leave();
  const again = async () => {
    const { incoming, leave } = await slowReader('busy');
    leave();
    return incoming.statusCode;
  };
  await expect.poll(again, { timeout: 20_000 }).toBe(200);
});

it('a slow reader is disconnected, which frees its share', async () => {
  const budget = createAnswerBudget({ limit: 2 * SIZE, sendTimeout: 50 });
  const server = createServer((_, response) => {
    try {
      budget.reserve(response, 'busy', SIZE);
      response.end(Buffer.alloc(SIZE));
    } catch {
      response.writeHead(503).end();
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const status = async () => {
    const outgoing = request({ hostname: '127.0.0.1', port, agent: false }).on('error', () => undefined);
    outgoing.end();
    const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
    incoming.on('error', () => undefined);
    return incoming.statusCode;
  };
  try {
    expect(await status()).toBe(200);
    // The first reader neither reads nor disconnects.
    await expect.poll(status, { timeout: 20_000 }).toBe(200);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
