import { isWrite } from '@repoless/contract/endpoint.ts';
import { allEndpoints } from '@repoless/contract/endpoints.ts';
import { aliasesOf } from '@repoless/contract/public-api.ts';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openFolder } from '../command-line/command.ts';
import { ask, type TestAnswer, type TestRequest } from '../support/ask.ts';
import { startChildBackend } from '../support/child-backend.ts';
import { freePort } from '../support/free-port.ts';
import { startMailReceiver, startWebhookReceiver } from '../support/message-receivers.ts';
import { operate } from '../support/operate.ts';
import { filesBelow, type Place, plantedValues } from '../support/planted.ts';
import { failingCredentials, ORG, plantOrganization, SITE, TIMES } from './planted-organization.ts';
import { startTraceWorld, type TraceWorld } from './trace-world.ts';

const planted = plantedValues();
const { plant, register, found, names } = planted;
const AUTHOR = 'author-p100-e200.example.com';

let world: TraceWorld;
let receiver: Awaited<ReturnType<typeof startWebhookReceiver>>;
let mail: Awaited<ReturnType<typeof startMailReceiver>>;
let folder: Awaited<ReturnType<typeof openFolder>>;
let backups: string;
let metrics: number;
/** All answers except those that show a value once. */
const answers: Place[] = [];

beforeAll(async () => {
  [receiver, mail, folder, metrics] = await Promise.all([startWebhookReceiver(), startMailReceiver(), openFolder(), freePort()]);
  backups = await mkdtemp(join(tmpdir(), 'repoless-planted-'));
  world = await startTraceWorld({
    LOG_LEVEL: 'trace',
    METRICS_PORT: String(metrics),
    AUTHOR_HOSTS: AUTHOR,
    ...failingCredentials(plant, mail.url),
  });
  register('the session of the operator', world.token);
}, 60_000);
afterAll(async () => {
  await Promise.all([world.stop(), receiver.stop(), mail.stop(), folder.remove()]);
  await rm(backups, { recursive: true, force: true });
});

interface Asked extends Omit<TestRequest, 'method'> {
  readonly who?: string;
}

async function callRecorded(method: string, path: string, { who = 'admin', ...request }: Asked = {}): Promise<TestAnswer> {
  const answer = await ask(world.backend.address, path, {
    ...request,
    method,
    headers: { ...(who === 'admin' && { 'x-auth-token': world.token }), ...request.headers },
  });
  // A caller with a cookie gets it again.
  const name = path.startsWith('/profile') ? 'an answer of /profile' : `an answer to ${who}`;
  // A dry run answers what it would store.
  if (method === 'GET' || answer.status >= 300) answers.push({ name, bytes: Buffer.from(JSON.stringify(answer)) });
  return answer;
}

/** Makes every read, and every write as a dry run, with bodies whose credentials are malformed. */
async function everyCall(ids: Readonly<Record<string, string>>): Promise<void> {
  const wrong = plant('a credential in a body that is refused');
  const body = {
    value: [wrong],
    secret: wrong,
    password: wrong,
    secrets: { sent: { id: 'sent', type: 'hashed', ...TIMES, value: { is: wrong } } },
    content: { source: { type: 'markup', url: `https://me:${wrong}@content.example.com/` } },
    code: { owner: 'wknd', repo: 'wknd', source: { type: 'github', url: `https://me:${wrong}@github.com/wknd/wknd` } },
    cdn: { prod: { host: 'www.example.com', type: 'fastly', authToken: [wrong] } },
    channel: { type: 'webhook', url: `https://me:${wrong}@example.com/`, secret: wrong },
  };
  for (const [id, row] of allEndpoints()) {
    if (id === 'logout' || id === 'endSessions') continue;
    for (const path of [row.path, ...aliasesOf(row.path).map((alias) => alias.path)]) {
      const group = /\/(secrets|tokens|apiKeys)\//.exec(path)?.[1] ?? '';
      const own = { secrets: ids['secret'], tokens: ids['token'], apiKeys: path.includes('/sites/') ? ids['siteKey'] : ids['orgKey'] }[
        group
      ];
      const params: Readonly<Record<string, string | undefined>> = { ...PARAMS, ...ids, id: own, name: own ?? PARAMS['name'] };
      const address = path.replaceAll(/\{(\w+\*?)\}/g, (_whole, name: string) => params[name] ?? 'none');
      const [media] = row.body?.media ?? [];
      if (isWrite(row)) {
        await callRecorded(row.method, `${address}?dryRun=true`, {
          body: media === 'application/json' ? body : wrong,
          headers: { 'content-type': media ?? 'application/json' },
        });
        continue;
      }
      if (row.method !== 'GET') continue;
      for (const who of ['admin', 'anonymous', 'the role config'])
        await callRecorded('GET', address, { who, ...(who === 'the role config' && { headers: { 'x-auth-token': ids['key'] ?? '' } }) });
    }
  }
}

const PARAMS: Readonly<Record<string, string>> = {
  org: 'wknd',
  site: 'planted',
  ref: 'main',
  profile: 'shared',
  group: 'editors',
  version: '1',
  from: '1',
  to: '2',
  name: 'sent',
  idp: 'idp',
  host: AUTHOR,
  email: 'nobody@example.com',
  'path*': 'content/planted.json',
  'part*': 'cdn.json',
};

/** Sends invalid credentials, and some valid ones, wherever programs put them. */
async function sendCredentials(ids: Readonly<Record<string, string>>): Promise<void> {
  const forged = `eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJ4In0.${plant('a forged token')}`;
  const basic = Buffer.from(`me:${plant('a password')}`).toString('base64');
  const headers: readonly Readonly<Record<string, string>>[] = [
    { 'x-auth-token': forged },
    { 'x-auth-token': plant('a token of another form') },
    { authorization: `Bearer ${forged}` },
    { authorization: `token ${plant('a secret that is wrong')}` },
    { authorization: `Basic ${basic}` },
    { cookie: `auth_token=${world.token}; sign_in=${plant('a cookie of a sign-in')}; other=${plant('another cookie')}` },
    { 'x-auth-token': world.token, 'x-content-source-authorization': `Bearer ${plant('an authoring token')}` },
    { 'x-hub-signature-256': `sha256=${plant('a signature')}` },
  ];
  const query = `token=${plant('a token in a query')}&code=${plant('a code of a sign-in')}&state=${plant('the state of a sign-in')}`;
  for (const one of headers) {
    const who = JSON.stringify(one).includes(world.token) ? 'admin' : 'a caller with a credential';
    for (const path of [`${SITE}.json`, `/authoring/${AUTHOR}/content.json`, '/profile', '/auth/idp/ack', '/nowhere', '/admin', '/device'])
      await callRecorded('GET', `${path}?${query}`, { who, headers: one });
    for (const path of ['/mcp', '/auth/exchange', '/auth/device/token', '/webhooks/github', '/log/100/200'])
      await callRecorded('POST', path, { who, headers: one, body: { token: forged, device_code: plant('a code that is none') } });
    const host = `main--planted--wknd.live.localhost:${new URL(world.backend.address).port}`;
    await callRecorded('GET', `/page?${query}`, { who: 'a reader', headers: one, host });
  }
  const host = `main--planted--wknd.live.localhost:${new URL(world.backend.address).port}`;
  await callRecorded('GET', '/page', { who: 'a reader', headers: { authorization: `token ${ids['opens'] ?? ''}` }, host });
  for (const [method, params] of [
    ['tools/list', {}],
    ['tools/call', { name: 'apply_plan', arguments: { plan: 'none' } }],
    ['tools/call', { name: 'list_sites', arguments: { organization: 'wknd' } }],
  ] as const)
    await callRecorded('POST', '/mcp', {
      headers: { accept: 'application/json, text/event-stream' },
      body: { jsonrpc: '2.0', id: 1, method, params },
    });
}

async function readCommandLine(): Promise<Place[]> {
  const env = {
    REPOLESS_SERVICE: world.backend.address,
    REPOLESS_TOKEN: world.token,
    REPOLESS_AUTHORING_TOKEN: plant('an authoring token of the environment'),
  };
  const outputs: string[] = [];
  for (const argv of [
    ['doctor', '--organization', 'wknd', '--site', 'planted'],
    ['export', '--organization', 'wknd', '-o', 'sites.yaml'],
    ['plan', '-f', 'sites.yaml'],
    ['check', '-f', 'sites.yaml'],
    ['history', '--organization', 'wknd', '--site', 'planted'],
    ['status', '--organization', 'wknd', '--json'],
  ]) {
    const { out, err } = await folder.repoless(argv, { env });
    outputs.push(out, err);
  }
  return [
    ...(await filesBelow(folder.folder)).map((place) => ({ ...place, name: `the file ${place.name}` })),
    { name: 'the command line', bytes: Buffer.from(outputs.join('\n')) },
  ];
}

/** A service that does not start reports invalid settings. */
async function readSettingsError(): Promise<Place> {
  const wrong = plant('a setting that is wrong');
  const settings = {
    ...failingCredentials(plant, mail.url),
    SMTP_URL: `http://me:${wrong}@mail.example.com`,
    DATABASE_URL: `mysql://me:${wrong}@db.example.com/x`,
    OTEL_EXPORTER_OTLP_HEADERS: wrong,
    TRUSTED_ISSUERS: `https://me:${wrong}@issuer.example.com`,
    CODE_HOST_API: `ftp://me:${wrong}@host.example.com`,
    PORT: 'none',
  };
  const error: unknown = await startChildBackend(backups, settings).catch((problem: unknown) => problem);
  expect(String(error)).toContain('These settings are wrong');
  return { name: 'the error of a service that does not start', bytes: Buffer.from(String(error)) };
}

test('a credential appears only where it is shown once or must be sent', async () => {
  const ids = await plantOrganization({
    planted,
    callRecorded,
    call: world.call,
    codeHost: world.codeHost.address,
    receiver: receiver.url,
  });
  await everyCall(ids);
  await sendCredentials(ids);
  const commandLine = await readCommandLine();
  expect(await operate(['backup', join(backups, 'the backup')], { DATA_DIR: world.dataDir })).toMatchObject({ status: 0 });
  await receiver.until(1);
  await expect
    .poll(async () => (await callRecorded('GET', `${ORG}/subscriptions/${ids['letter']}/deliveries.json`)).text)
    .toContain('"problem"');
  await expect.poll(() => world.collector.posts.length).toBeGreaterThan(0);
  await expect.poll(() => JSON.stringify(world.codeHost.requests)).toContain('"authorization":"token ');
  // Not a call of the service.
  const figures = await ask(`http://127.0.0.1:${metrics}`, '/metrics', { host: 'metrics.example.com' });
  const places: Place[] = [
    ...answers,
    ...commandLine,
    await readSettingsError(),
    ...(await filesBelow(world.dataDir)),
    ...(await filesBelow(backups)),
    { name: 'the log', bytes: Buffer.from(world.backend.output()) },
    { name: 'the metrics', bytes: Buffer.from(figures.text) },
    { name: 'the traces', bytes: Buffer.concat(world.collector.posts.map(({ body }) => body)) },
    { name: 'the webhook', bytes: Buffer.from(JSON.stringify(receiver.all)) },
    { name: 'the mail', bytes: Buffer.from(JSON.stringify(mail.all)) },
    { name: 'the code host', bytes: Buffer.from(JSON.stringify(world.codeHost.requests)) },
  ].map(({ name, bytes }) => ({ name: name.replace(/^repoless\.sqlite(?:-wal)?$/, 'the database'), bytes }));
  expect(names().length).toBeGreaterThanOrEqual(40);
  expect(found(places).toSorted()).toEqual([
    // People who configure the site read and write it.
    ...inEach('a credential of a CDN', 'an answer to admin', 'the backup', 'the database'),
    ...inEach('a title', 'an answer to admin', 'an answer to the role config', 'the backup', 'the database'),
    ...inEach('an earlier credential of a CDN', 'an answer to admin', 'the backup', 'the database'),
    ...inEach('the secret of a repository', 'the code host'),
    ...inEach('the session of the operator', 'an answer of /profile'),
  ]);
}, 180_000);

function inEach(value: string, ...places: readonly string[]): string[] {
  return places.map((place) => `${value} in ${place}`);
}

test.each(['base64', 'base64url', 'hex'] as const)('a planted value is found in a longer text encoded as %s', (form) => {
  const { plant: hidden, found: seen } = plantedValues();
  const value = hidden('it');
  for (const before of ['', 'a', 'ab', 'abc'])
    expect(seen([{ name: 'the text', bytes: Buffer.from(Buffer.from(`${before}${value} and more`).toString(form)) }])).toEqual([
      'it in the text',
    ]);
});
