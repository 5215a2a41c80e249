import { LIMITS } from '@repoless/contract/limits.ts';
import { createExpressServer } from '@repoless/service/server.ts';
import express from 'express';
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, expect, it } from 'vitest';

const servers: ReturnType<typeof createExpressServer>[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  }
});

/** A server that answers with more than fits on the way to a reader. */
async function start(silence?: number) {
  const answer = Buffer.alloc(64 * 1024 * 1024);
  const server = createExpressServer(express(), { requestTimeout: 30_000 }, (_request, response) => response.end(answer), silence);
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, port: (server.address() as AddressInfo).port };
}

it('a reader who asks and does not read is left after a while', async () => {
  const { server, port } = await start(200);
  const socket = connect(port, '127.0.0.1').pause();
  socket.on('error', () => undefined);
  socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
  const open = () => new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count)));
  await once(server, 'request');
  expect(await open()).toBe(1);
  await expect.poll(open, { timeout: 20_000 }).toBe(0);
  socket.destroy();
});

it('every server has such a bound, and one that waits long for requests waits as long for readers', async () => {
  expect((await start()).server.timeout).toBe(LIMITS.silence);
  const patient = createExpressServer(express(), { requestTimeout: 300_000 }, () => undefined);
  expect(patient.timeout).toBe(300_000);
});
