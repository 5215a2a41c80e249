import { PublicConfig } from '@repoless/contract/site.ts';
import { createClient } from '@repoless/core/api/client.ts';
import { createHostsPort } from '@repoless/core/api/hosts-port.ts';
import { createServicePort } from '@repoless/core/api/service-port.ts';
import { readSling } from '@repoless/core/authoring/read-sling.ts';
import { createCatalogues } from '@repoless/core/messages/catalogue.ts';
import { english } from '@repoless/core/messages/english.ts';
import { explainBlock, explainFailure } from '@repoless/core/messages/explain-failure.ts';
import type { ServiceInfo } from '@repoless/contract/service.ts';
import { blockedByFailure } from '@repoless/core/plan/plan.ts';
import { verifyHost, type Verifying } from '@repoless/core/run/retry.ts';
import type { SetupPorts } from '@repoless/core/plan/ports.ts';
import type { Failure, Known } from '@repoless/core/situation/situation.ts';
import { describe, expect, it } from 'vitest';
import { siteOf } from '../views/sites-world.ts';
import { createWorld } from '../views/world.ts';

const de = await createCatalogues()('de').read('first-view');
const en = english['first-view'];

const HOST = 'https://main--summit--wknd.preview.example.com';
const answering = (text: string, status = 200): typeof fetch => {
  return async () => new Response(text, { status, headers: { 'content-type': 'application/json' } });
};
const proxy = {
  author: 'https://author-p100-e200.example.com',
  read: async () => ({ ok: true, received: { status: 200, headers: new Headers(), text: '[' } }) as const,
  write: async () => ({ ok: false, failure: { kind: 'unreachable' } }) as const,
};

function failureOf(answer: Known<unknown>): Failure {
  if (answer.state !== 'failed') throw new Error(`It did not fail: ${answer.state}.`);
  return answer.failure;
}

/** Verifies once a stored site whose host answers like this. */
async function verified(
  text: string,
  status: number,
  { signal = AbortSignal.abort(), ...more }: Partial<Verifying> & { readonly wait?: SetupPorts['wait'] } = {},
  known?: Pick<ServiceInfo, 'hosted'>,
): Promise<Failure | undefined> {
  const { ports } = createWorld();
  const hosts = createHostsPort({ proxy, fetch: answering(text, status) });
  const effective = async () => ({ state: 'known', value: siteOf('summit', '/content/summit') }) as const;
  const call = { target: 'host', method: 'GET', address: HOST } as const;
  const { wait = ports.wait, onWaiting = () => undefined } = more;
  const run = { ports: { ...ports, wait, hosts, service: { ...ports.service, effective } }, signal, onWaiting };
  return verifyHost(run, call, { organization: 'wknd', siteName: 'summit' }, known);
}

const TOLD: readonly (readonly [string, () => Promise<Failure | undefined>, string, string])[] = [
  [
    'of the authoring system',
    async () => failureOf(await readSling(proxy, '/content/summit', PublicConfig)),
    'Couldn’t read the authoring system’s response for /content/summit.',
    'Die Antwort des Autorensystems zu /content/summit ist nicht lesbar.',
  ],
  [
    'of the service',
    async () =>
      failureOf(await createServicePort(createClient({ service: HOST, token: async () => undefined, fetch: answering('{}') })).info()),
    'Couldn’t read the response',
    'Die Antwort ist nicht lesbar',
  ],
  [
    'of a host',
    async () => failureOf((await createHostsPort({ proxy, fetch: answering('[') }).config(HOST)).answer),
    `${HOST} returns no public configuration.`,
    `${HOST} liefert keine öffentliche Konfiguration.`,
  ],
  ['of a host that has none yet', () => verified('', 404), `${HOST} has no configuration yet.`, `${HOST} hat noch keine Konfiguration.`],
  [
    'of a host that has another one',
    () => verified('{"public":{"paths":{"mappings":["/content/a/:/"]}}}', 200),
    `${HOST} returns something other than the stored configuration.`,
    `${HOST} liefert nicht die gespeicherte Konfiguration.`,
  ],
];

describe('an answer that is not as it should be is told in the person’s language', () => {
  it.each(TOLD)('%s', async (_of, fail, english, german) => {
    const failure = await fail();
    if (failure === undefined) throw new Error('It did not fail.');
    expect(explainFailure(en, failure).sentence).toContain(english);
    expect(explainFailure(de, failure).sentence).toContain(german);
    expect(explainFailure(de, failure).next).toBe(de.failures.unexpected.next);
    const step = blockedByFailure(failure);
    if (step.kind === 'blocked' && failure.finding?.kind === 'unread')
      expect(explainBlock(de, step.reason, step.data).why).toContain(german);
  });
});

it('says of a host of the hosted service how long it usually takes, while it waits for ten minutes, and then no longer', async () => {
  let waited = 0;
  const told = new Set<string>();
  const failure = await verified(
    '',
    404,
    {
      signal: new AbortController().signal,
      wait: async (milliseconds) => void (waited += milliseconds),
      onWaiting: (_attempt, why) => why !== undefined && told.add(explainFailure(en, why).sentence),
    },
    { hosted: HOST },
  );
  expect(waited / 60_000).toBeCloseTo(10, 0);
  expect([...told]).toEqual([
    `${HOST} doesn’t return the stored configuration yet. On the hosted service it usually follows within two minutes, at most in ten.`,
  ]);
  expect(failure && explainFailure(en, failure).sentence).toBe(`${HOST} has no configuration yet.`);
});
