import { anySignal } from '@repoless/service/git/run-git.ts';
import { createLookups } from '@repoless/service/remote/guarded-lookup.ts';
import { createRemote } from '@repoless/service/remote/remote.ts';
import { createServer } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { collectGarbage } from '../support/collect-garbage.ts';

const OFTEN = 3000;
let silent: Server;
let address: string;
beforeAll(async () => {
  silent = createServer((request, response) => void (request.url === '/quick' && response.end()));
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/`;
});
afterAll(() => new Promise((resolve) => silent.close(resolve)));

/** Collects garbage until something has come. */
async function whileCollecting<T>(work: Promise<T>): Promise<T> {
  const timer = setInterval(collectGarbage, 20);
  try {
    return await work;
  } finally {
    clearInterval(timer);
  }
}

it('a request to a host that does not answer ends in time, also where it may be ended otherwise and garbage is collected', async () => {
  const remote = createRemote({ internalAddresses: 'allow', timeout: 400, sizeLimit: 100, resolve: createLookups([]).tenants });
  const { signal } = new AbortController();
  // Code that ran often is optimized, and lets go of what it does not use any more.
  for (let count = 0; count < OFTEN; count += 1) await remote.send({ url: `${address}quick`, method: 'GET', signal });
  const asked = Array.from({ length: 5 }, () => remote.send({ url: address, method: 'GET', signal }).catch((error: unknown) => error));
  for (const failure of await whileCollecting(Promise.all(asked)))
    expect(failure).toMatchObject({ name: 'RemoteFailure', reason: 'timeout' });
  await remote.close();
});

it('a deadline among other signals comes, also through a further combination, when garbage is collected', async () => {
  const { signal } = new AbortController();
  const ends = Array.from({ length: 5 }, () => {
    const inner = () => anySignal(signal, AbortSignal.timeout(300));
    const outer = anySignal(new AbortController().signal, inner());
    return new Promise((resolve) => outer.addEventListener('abort', resolve, { once: true }));
  });
  await whileCollecting(Promise.all(ends));
  expect(signal.aborted).toBe(false);
});
