import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { OPERATOR, startTestBackend } from '../support/backend.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

const TECHNICAL_ACCOUNT = 'p100-e200@techacct.example.com';
const SITE = '/config/wknd/sites/lantern';
const FURTHER = '/config/wknd/sites/orchard';
const paths = { mappings: ['/content/lantern/:/', '/content/lantern/configuration:/.helix/config.json'], includes: ['/content/lantern/'] };
const access = { admin: { role: { admin: [OPERATOR], config_admin: [TECHNICAL_ACCOUNT] }, requireAuth: 'auto' } };
const code = {
  owner: '100',
  repo: '200',
  source: { type: 'byogit', url: 'https://build.example.com/api', raw_url: 'https://build.example.com/raw', owner: '100', repo: '200' },
};
const held = { ...code, source: { ...code.source, secretId: 'cm-byog' } };

/** The ten calls by their numbers, each with its body (docs/contract.md 1.1). */
const CALLS = {
  1: ['PUT', `${SITE}.json`, { version: 1, code: held, content: contentOf('lantern') }],
  2: ['POST', `${FURTHER}.json`, { code, content: contentOf('orchard'), access: { admin: { role: { admin: [OPERATOR] } } } }],
  3: ['POST', `${SITE}/public.json`, { paths }],
  4: ['POST', `${SITE}/access.json`, access],
  5: ['POST', `${SITE}/code.json`, { source: held.source }],
  6: ['POST', `${SITE}/secrets/cm-byog.json`, { value: 'the-secret' }],
  7: ['GET', '/job/wknd/lantern/main/code', undefined],
  8: ['GET', '/login', undefined],
  9: ['GET', '/profile', undefined],
} as const;
type CallNumber = keyof typeof CALLS;
const NUMBERS = [1, 2, 3, 4, 5, 6, 7, 8, 9] as const satisfies readonly CallNumber[];

const backend = startBeforeAll(() => startTestBackend());
beforeAll(async () => {
  for (const number of NUMBERS) expect((await call(number)).status).toBeLessThan(300);
});

describe('on a complete site', () => {
  it('the ten calls leave config.json, access and mappings as they were, in whatever order they come again', async () => {
    const before = await standing();
    expect(before).toEqual({ config: { public: { paths } }, access, paths });
    const orders = fc.shuffledSubarray([...NUMBERS], { minLength: NUMBERS.length });
    await fc.assert(
      fc.asyncProperty(orders, async (order) => {
        for (const number of order) {
          const { status, headers } = await call(number);
          expect([number, status < 300, headers['x-warning']]).toEqual([number, true, undefined]);
          expect([number, await standing()]).toEqual([number, before]);
        }
      }),
      { numRuns: 6, seed: 8 },
    );
  });

  it('call 2 replaces the site whole, and says so in its dry run and in its answer', async () => {
    const [, , body] = CALLS[2];
    await backend.call('POST', `${FURTHER}/public.json`, { as: OPERATOR, body: { paths: { includes: ['/content/orchard/'] } } });
    const tried = await backend.call('POST', `${FURTHER}.json?dryRun=true`, { as: OPERATOR, body });
    expect(tried.json()).toMatchObject({ status: 200, warnings: [expect.stringContaining('removes public')] });
    const answer = await call(2);
    expect([answer.status, answer.headers['x-warning']]).toEqual([200, expect.stringContaining('removes public')]);
    expect((await backend.visit('live', 'main--orchard--wknd', '/config.json')).status).toBe(404);
  });
});

async function call(number: CallNumber) {
  const [method, path, body] = CALLS[number];
  return await backend.call(method, path, { as: OPERATOR, body });
}

/** Call 10, and what is stored behind it. */
async function standing(): Promise<unknown> {
  const [config, live, stored] = await Promise.all([
    backend.visit('preview', 'main--lantern--wknd', '/config.json'),
    backend.visit('live', 'main--lantern--wknd', '/config.json'),
    backend.call('GET', `${SITE}.json`, { as: OPERATOR }),
  ]);
  expect([config.status, live.text]).toEqual([200, config.text]);
  const site = Object(stored.json());
  return { config: config.json(), access: site.access, paths: site.public.paths };
}

function contentOf(site: string) {
  return {
    source: { type: 'markup', url: `https://author-p100-e200.example.com/bin/franklin.delivery/wknd/${site}/main`, suffix: '.html' },
  };
}
