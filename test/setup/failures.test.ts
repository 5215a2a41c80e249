import { PublicConfig } from '@repoless/contract/site.ts';
import { createClient } from '@repoless/core/api/client.ts';
import { createHostsPort } from '@repoless/core/api/hosts-port.ts';
import { createServicePort } from '@repoless/core/api/service-port.ts';
import { failureOf, readSling } from '@repoless/core/authoring/sling.ts';
import { createCatalogues } from '@repoless/core/messages/catalogue.ts';
import { english } from '@repoless/core/messages/english.ts';
import { explainBlock, explainFailure } from '@repoless/core/messages/explain-failure.ts';
import type { ServiceInfo } from '@repoless/contract/service.ts';
import { blockedByFailure } from '@repoless/core/plan/plan.ts';
import { verifyHosts, type Verifying } from '@repoless/core/run/take-step.ts';
import type { SetupPorts } from '@repoless/core/situation/ports.ts';
import { type Failure, type Known, isUncertain } from '@repoless/core/situation/call.ts';
import { describe, expect, it, test } from 'vitest';
import { siteOf } from '../views/sites-world.ts';
import { createWorld } from '../views/world.ts';
import type { ErrorCode } from '@repoless/contract/errors.ts';
import { readdir, readFile } from 'node:fs/promises';

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

function failureIn(answer: Known<unknown>): Failure {
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
  const { wait = ports.wait, onWaiting = () => undefined } = more;
  const run = { ports: { ...ports, wait, hosts, service: { ...ports.service, effective } }, signal, onWaiting };
  const target = { organization: 'wknd', siteName: 'summit' };
  return (await verifyHosts(run, { addresses: [HOST], target, info: known }))?.failure;
}

const REPORTED: readonly (readonly [string, () => Promise<Failure | undefined>, string, string])[] = [
  [
    'of the authoring system',
    async () => failureIn(await readSling(proxy, '/content/summit', PublicConfig)),
    'Couldn’t read the authoring system’s response for /content/summit.',
    'Die Antwort des Autorensystems zu /content/summit ist nicht lesbar.',
  ],
  [
    'of the service',
    async () =>
      failureIn(await createServicePort(createClient({ service: HOST, token: async () => undefined, fetch: answering('{}') })).info()),
    'Couldn’t read the response',
    'Die Antwort ist nicht lesbar',
  ],
  [
    'of a host',
    async () => failureIn((await createHostsPort({ proxy, fetch: answering('[') }).config(HOST)).answer),
    `${HOST} returns no public configuration.`,
    `${HOST} liefert keine öffentliche Konfiguration.`,
  ],
  [
    'of a host without a configuration yet',
    () => verified('', 404),
    `${HOST} has no configuration yet.`,
    `${HOST} hat noch keine Konfiguration.`,
  ],
  [
    'of a host with another configuration',
    () => verified('{"public":{"paths":{"mappings":["/content/a/:/"]}}}', 200),
    `${HOST} returns something other than the stored configuration.`,
    `${HOST} liefert nicht die gespeicherte Konfiguration.`,
  ],
];

it.each(REPORTED)('an invalid answer is reported in the person’s language: %s', async (_of, fail, english, german) => {
  const failure = await fail();
  if (failure === undefined) throw new Error('It did not fail.');
  expect(explainFailure(en, failure).sentence).toContain(english);
  expect(explainFailure(de, failure).sentence).toContain(german);
  expect(explainFailure(de, failure).next).toBe(de.failures.unexpected.next);
  const step = blockedByFailure(failure);
  if (step.kind === 'blocked' && failure.finding?.kind === 'unread') expect(explainBlock(de, step.reason, step.data).why).toContain(german);
});

it('reports the usual delay of the hosted service while it waits for its host, and not after ten minutes', async () => {
  let waited = 0;
  const messages = new Set<string>();
  const failure = await verified(
    '',
    404,
    {
      signal: new AbortController().signal,
      wait: async (milliseconds) => void (waited += milliseconds),
      onWaiting: (_attempt, why) => why !== undefined && messages.add(explainFailure(en, why).sentence),
    },
    { hosted: HOST },
  );
  expect(waited / 60_000).toBeCloseTo(10, 0);
  expect([...messages]).toEqual([
    `${HOST} doesn’t return the stored configuration yet. On the hosted service it usually follows within two minutes, at most in ten.`,
  ]);
  expect(failure && explainFailure(en, failure).sentence).toBe(`${HOST} has no configuration yet.`);
});

it.each([
  ['an older Sling, for access', 500, "Resource at '/content/a' is not modifiable.", 403, /^You don’t have permission/],
  ['a repository, for access', 500, 'OakAccess0000: Access denied', 403, /^You don’t have permission/],
  ['a newer Sling, for values and for access', 422, 'invalid payload', 422, /You may lack permission, or somebody locked/],
  [
    'a newer Sling, for anything else',
    409,
    'repository state conflicting with request',
    409,
    /You may lack permission, or somebody locked/,
  ],
  ['any Sling, for an unexpected error', 500, 'java.lang.IllegalStateException', 500, /refused the request \(status 500\)/],
])('A write that the authoring system refuses is explained: %s', (_who, status, text, shown, sentence) => {
  const failure = failureOf({ status, headers: new Headers({ 'content-type': 'application/json' }), text });
  expect(failure).toMatchObject({ kind: 'refused', status: shown, system: 'authoring' });
  expect(explainFailure(en, failure).sentence).toMatch(sentence);
});

const refused = (status: number, code?: ErrorCode): Failure => ({
  kind: 'refused',
  status,
  ...(code === undefined ? {} : { problem: { type: 'about:blank', title: code, status, code, detail: '' } }),
});

describe('A write that failed', () => {
  test.each<readonly [string, Failure]>([
    ['its answer never arrived', { kind: 'unreachable' }],
    ['its answer took too long', { kind: 'timeout' }],
    ['a gateway answered instead of the service', refused(502)],
    ['its answer cannot be read', { kind: 'unexpected', status: 200, finding: { kind: 'unread', from: 'service', about: 'id' } }],
    ['its answer has another form', { kind: 'unexpected' }],
    ['the service does not know', refused(500, 'INTERNAL')],
    ['the database did not respond', refused(503, 'STORAGE_UNAVAILABLE')],
  ])('may have been stored if %s', (_why, failure) => expect(isUncertain(failure)).toBe(true));

  test.each<readonly [string, Failure]>([
    ['the service refused it', refused(412, 'PRECONDITION_FAILED')],
    ['another system behind the service was unreachable', refused(502, 'CODE_HOST_UNREACHABLE')],
    ['the storage is full', refused(503, 'STORAGE_FULL')],
    ['a proxy refused it', refused(401)],
    ['there were too many requests', refused(429)],
    ['nothing was sent', { kind: 'unexpected', finding: { kind: 'no-dry-run', reason: 'not-announced' } }],
  ])('was not stored if %s', (_why, failure) => expect(isUncertain(failure)).toBe(false));
});
const MESSAGES = new URL('../../core/messages/', import.meta.url);

/** Quoted texts that are not our labels: characters, values, examples, and labels of other products. */
const NO_LABELS: ReadonlySet<string> = new Set([
  '-',
  'json.maximumresults',
  '_',
  '=',
  '/',
  '*',
  '*@domain',
  'groups/name',
  'p',
  'admin',
  'default',
  'git',
  'push',
  'preview',
  'cm-byog',
  'requireAuth',
  'x-auth-token',
  'dry run',
  'User-agent: *',
  'Disallow: /drafts',
  'Before the relaunch',
  'Vor dem Relaunch',
  'Build on main',
  'Build auf main',
  'Frame protection for all shops',
  'Schutz vor Einbettung für alle Shops',
  'Code pushed',
  'Push events',
  'Repository push',
  'Secret token',
  'Authentication',
  'inherited',
  'main',
  'service',
  'site',
]);

const QUOTED = { en: /“([^”{]+)”/g, de: /„([^“{]+)“/g } as const;
const withoutDots = (text: string): string => text.replace(/\s*…$/, '');

describe.each(['en', 'de'] as const)('the messages in %s', (locale) => {
  it('refer only to existing labels', async () => {
    const folder = new URL(`${locale}/`, MESSAGES);
    const files = (await readdir(folder)).filter((file) => file.endsWith('.json') && file !== 'service.json');
    const texts = (await Promise.all(files.map(async (file) => textsIn(JSON.parse(await readFile(new URL(file, folder), 'utf8')))))).flat();
    const labels = new Set(texts.map(withoutDots));
    const named = texts.flatMap((text) => [...text.matchAll(QUOTED[locale])].map(([, name = '']) => withoutDots(name)));
    expect(named.length).toBeGreaterThan(100);
    expect(named.filter((name) => !labels.has(name) && !NO_LABELS.has(name))).toEqual([]);
  });
});

/** Every text of a file of messages. */
function textsIn(messages: unknown): string[] {
  return typeof messages === 'string' ? [messages] : Object.values(Object(messages)).flatMap(textsIn);
}
