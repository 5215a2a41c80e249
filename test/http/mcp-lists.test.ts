import { expect, it } from 'vitest';
import { OPERATOR, startTestBackend } from '../support/backend.ts';
import { threadTime } from '../support/turns.mjs';
import { startBeforeAll } from '../support/start-before-all.ts';
const backend = startBeforeAll(() => startTestBackend());

async function send(method: string, params?: object): Promise<string> {
  const body = { jsonrpc: '2.0', id: 1, method, ...(params !== undefined && { params }) };
  const answer = await backend.call('POST', '/mcp', { as: OPERATOR, body });
  expect(answer.status, answer.text).toBe(200);
  return answer.text;
}

/** Milliseconds of the processor. */
async function costOf(work: () => Promise<unknown>): Promise<number> {
  const begun = threadTime();
  for (let count = 0; count < 20; count += 1) await work();
  return threadTime() - begun;
}

it.each([
  // Its text is longer; made for each message, it took three times as long.
  ['tools/list', 2.3, undefined],
  ['resources/read', 1.4, { uri: 'repoless://sites-file-schema' }],
  ['initialize', 1.4, { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } }],
])('%s costs little more than ping, for it is the same for everybody', async (method, most, params) => {
  // What the collection of garbage adds falls on any of them: each is taken where it costs least, as often as that takes.
  const least = { ping: Infinity, own: Infinity };
  for (let round = 0; round < 60 && !(round >= 9 && least.own / least.ping < most); round += 1) {
    least.ping = Math.min(least.ping, await costOf(() => send('ping')));
    least.own = Math.min(least.own, await costOf(() => send(method, params)));
  }
  expect(least.own / least.ping).toBeLessThan(most);
});
