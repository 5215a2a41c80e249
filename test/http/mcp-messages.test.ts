import { lookup } from 'node:dns';
import { expect, it } from 'vitest';
import { LIMITS } from '@repoless/contract/limits.ts';
import { composeAssistant } from '@repoless/service/composition/assistant.ts';
import { readSettings } from '@repoless/service/config.ts';
import { Refusal } from '@repoless/service/domain/errors.ts';
import { newSecretKeys, readSecretBox } from '@repoless/service/secrets/secret-box.ts';
import { createRemote } from '@repoless/service/remote/remote.ts';
import { NO_TRACING } from '@repoless/service/tracing/tracing.ts';
import { ada, otto, world } from '../domain/world.ts';
import { sqliteEngine } from '../support/each-store.ts';

const engine = sqliteEngine();

it('messages of one caller wait for each other, LIMITS.assistantMessages at most, and another one is answered between them', async () => {
  const partners = createRemote({ internalAddresses: 'refuse', resolve: lookup, timeout: 1000, sizeLimit: 1000 });
  const assistant = composeAssistant(readSettings({}), {
    publicAddress: 'http://localhost:1',
    hosts: { protocol: 'http', preview: 'preview.localhost', live: 'live.localhost' },
    port: 1,
    box: readSecretBox(newSecretKeys()),
    partners,
    log: { failure: () => undefined },
    tracing: NO_TRACING,
  });
  const place = await world(await engine.open());
  const answered: string[] = [];
  const send = async (caller: typeof ada, method: string) => {
    const body = { jsonrpc: '2.0' as const, id: 1, method };
    try {
      const { status } = await assistant.serveAssistant(place.context(caller), { params: {}, query: {}, headers: {}, body });
      answered.push(`${caller.email} ${status}`);
    } catch (error) {
      answered.push(`${caller.email} ${error instanceof Refusal ? error.code : String(error)}`);
    }
  };
  // What the tools are made of is loaded with the first one.
  await send(ada, 'ping');
  await Promise.all([...Array.from({ length: 2 * LIMITS.assistantMessages }, () => send(ada, 'tools/list')), send(otto, 'ping')]);
  const [, ...others] = answered;
  // One is worked on beside those that wait.
  expect(others.filter((line) => line === `${ada.email} 200`)).toHaveLength(LIMITS.assistantMessages + 1);
  expect(others.filter((line) => line === `${ada.email} OVERLOADED`)).toHaveLength(LIMITS.assistantMessages - 1);
  expect(others.filter((line) => line.endsWith('200')).indexOf(`${otto.email} 200`)).toBeLessThanOrEqual(2);
  assistant.close();
  await partners.close();
}, 60_000);
