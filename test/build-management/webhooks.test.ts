import { type ExternalRepository, WebhookAnswer, type WebhookCredentials } from '@repoless/contract/build-management.ts';
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { AFTER, GITHUB, gitlabSignature, type Sent, VENDOR_FORMS, type VendorForm } from './payloads.ts';
import { answered, sendEvent } from './send-event.ts';
import { startBuildWorld } from './world.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

const LIST = '/organizations/wknd/repositories';
const LIMIT = 200_000;
const world = startBeforeAll(() => startBuildWorld({ BODY_LIMIT: String(LIMIT) }));

const post = (address: string, sent: Sent) => sendEvent(world, address, sent);

describe.each(VENDOR_FORMS.map((form) => [form.title, form] as const))('events of %s', (_, form) => {
  let repository: ExternalRepository;
  let hook: WebhookCredentials;
  beforeAll(async () => {
    repository = await world.ready(form.vendor);
    expect(repository.state).toBe('READY');
    hook = await world.webhook(repository.repositoryId);
  });
  const signed = (sent: Sent, secret = hook.secret) => post(hook.address, form.sign(sent, secret));

  it('are accepted and processed if validly signed', async () => {
    const answer = await signed(form.push('main', randomUUID()));
    expect(answered(answer)).toEqual([202, 'accepted']);
    const { delivery } = WebhookAnswer.parse(answer.json());
    const done = await world.delivered(repository.repositoryId, ({ id }) => id === delivery);
    expect(done).toMatchObject({
      outcome: 'ignored',
      detail: expect.stringContaining('No site uses'),
      changes: [{ branch: 'main', type: 'updated', commit: AFTER }],
    });
  });

  it('are refused without a signature, and with one made with another secret', async () => {
    const sent = form.push('main', randomUUID());
    expect(answered(await post(hook.address, sent))).toEqual([400, 'INVALID_SIGNATURE']);
    expect(answered(await signed(sent, `${hook.secret.slice(0, 12)}xyz${hook.secret.slice(15)}`))).toEqual([400, 'INVALID_SIGNATURE']);
    expect((await world.deliveries(repository.repositoryId))[0]).toMatchObject({ outcome: 'refused', changes: [] });
    expect(answered(await signed(sent))).toEqual([202, 'accepted']);
  });

  it('are refused if signed by another vendor', async () => {
    const others = VENDOR_FORMS.filter(({ vendor }) => vendor !== form.vendor);
    for (const other of others) {
      const answer = await post(hook.address, other.sign(other.push('main', randomUUID()), hook.secret));
      expect([other.title, ...answered(answer)]).toEqual([other.title, 400, 'INVALID_SIGNATURE']);
    }
  });

  it('are processed once, however often they are repeated', async () => {
    const sent = form.push('main', randomUUID());
    const first = WebhookAnswer.parse((await signed(sent)).json());
    await world.delivered(repository.repositoryId, ({ id }) => id === first.delivery);
    for (const _again of [1, 2]) {
      const answer = await signed(sent);
      expect([answer.status, answer.json()]).toMatchObject([200, { delivery: first.delivery, repeated: true }]);
    }
    const here = (await world.deliveries(repository.repositoryId)).filter(({ id }) => id === first.delivery);
    expect(here).toMatchObject([{ attempts: 1, repeats: 2 }]);
  });

  it('are processed once, even if the same signed bytes arrive under another name', async () => {
    const sent = form.push('main', 'first-name');
    const other = form.push('main', 'second-name');
    const renamed = form.sign({ headers: other.headers, body: sent.body }, hook.secret);
    const first = WebhookAnswer.parse((await signed(sent)).json());
    await world.delivered(repository.repositoryId, ({ id }) => id === first.delivery);
    const answer = await post(hook.address, renamed);
    // GitLab sends the secret itself, so an attacker who has a request needs no replay.
    const expected = form.vendor === 'gitlab' ? [202, { repeated: false }] : [200, { delivery: first.delivery, repeated: true }];
    expect([answer.status, answer.json()]).toMatchObject(expected);
  });

  it('that change no branch are acknowledged and ignored', async () => {
    for (const sent of [form.tag(randomUUID()), form.other(randomUUID())]) expect(answered(await signed(sent))).toEqual([200, 'ignored']);
  });

  it('that delete a branch are recorded as deletions', async () => {
    const answer = WebhookAnswer.parse((await signed(form.push('main', randomUUID(), true))).json());
    const done = await world.delivered(repository.repositoryId, ({ id }) => id === answer.delivery);
    expect(done).toMatchObject({
      changes: [{ branch: 'main', type: 'deleted' }],
      outcome: 'ignored',
      detail: expect.stringContaining('No site uses'),
    });
  });

  it('are valid with the previous credentials for a day after a rotation, then only with the new ones', async () => {
    const before = hook;
    hook = await world.webhook(repository.repositoryId);
    expect(hook.previousValidUntil).toBeDefined();
    expect(hook.secret).not.toBe(before.secret);
    expect(hook.apiKey).not.toBe(before.apiKey);
    const old = () => post(before.address, form.sign(form.push('main', randomUUID()), before.secret));
    expect((await old()).status).toBe(202);
    expect((await signed(form.push('main', randomUUID()))).status).toBe(202);
    const tomorrow = new Date(Date.now() + 24 * 60 * 60 * 1000 + 1000);
    world.setTime(tomorrow);
    const [late, now] = [await old(), await post(hook.address, signedAt(form, hook.secret, tomorrow))];
    world.setTime(undefined);
    expect([answered(late), now.status]).toEqual([[400, 'INVALID_SIGNATURE'], 202]);
  });
});

function signedAt(form: VendorForm, secret: string, time: Date): Sent {
  const sent = form.push('main', randomUUID());
  const plain = form.sign(sent, secret);
  return plain.headers['webhook-signature'] === undefined
    ? plain
    : { ...sent, headers: { ...sent.headers, ...gitlabSignature(sent, secret, time) } };
}

describe('the order of defence', () => {
  let repository: ExternalRepository;
  let hook: WebhookCredentials;
  const path = () => new URL(hook.address).pathname;
  beforeAll(async () => {
    repository = await world.ready();
    hook = await world.webhook(repository.repositoryId);
  });
  const good = () => GITHUB.sign(GITHUB.push('main', randomUUID()), hook.secret);
  const send = async (address: string, sent: Partial<Sent>, method = 'POST') =>
    (await world.call(method, address, { as: null, ...sent })).headers['x-error-code'];

  it('starts with the route, then the method', async () => {
    expect(await send('/webhook', { body: 'x' })).toBe('ROUTE_NOT_FOUND');
    expect(await send('/webhooks/not-an-id', good())).toBe('NAME_INVALID');
    expect(await send(path(), {}, 'GET')).toBe('METHOD_NOT_ALLOWED');
  });

  it('puts the size before the signature', async () => {
    const large = 'x'.repeat(LIMIT + 1);
    expect(await send(path(), { body: large, headers: { 'content-type': 'application/json' } })).toBe('BODY_TOO_LARGE');
    const chunked = await world.call('POST', path(), {
      as: null,
      body: large,
      chunked: true,
      headers: { 'content-type': 'application/json' },
    });
    expect(chunked.headers['x-error-code']).toBe('BODY_TOO_LARGE');
  });

  it.each([
    ['no API key', ''],
    ['a wrong API key', '?api_key=wrong'],
    ['a very long API key', `?api_key=${'x'.repeat(500)}`],
    ['two API keys', '?api_key=a&api_key=b'],
    ['a dry run', '?dryRun=true'],
  ])('puts the signature first, and records no unsigned request: %s', async (_, query) => {
    const before = await world.deliveries(repository.repositoryId);
    for (const body of ['{', '', '{}']) {
      const answer = await world.call('POST', `${path()}${query}`, { as: null, body, headers: { 'content-type': 'application/json' } });
      expect(answered(answer)).toEqual([400, 'INVALID_SIGNATURE']);
    }
    expect(await world.deliveries(repository.repositoryId)).toEqual(before);
  });

  it.each([{}, { 'content-type': 'text/plain' }])('puts the signature before the content type: %j', async (headers) => {
    const unsigned = await world.call('POST', path(), { as: null, body: '{}', headers });
    expect(answered(unsigned)).toEqual([400, 'INVALID_SIGNATURE']);
    const { body, headers: signed } = good();
    const other = { ...signed, 'content-type': 'text/plain' };
    expect(await send(`${path()}?api_key=${hook.apiKey}`, { body, headers: other })).toBe('CONTENT_TYPE_UNSUPPORTED');
  });

  it('requires the API key of signed events, and records a missing one', async () => {
    expect(await send(path(), good())).toBe('API_KEY_REFUSED');
    expect(await send(`${path()}?api_key=wrong`, GITHUB.sign({ ...good(), body: '{' }, hook.secret))).toBe('API_KEY_REFUSED');
    expect((await world.deliveries(repository.repositoryId))[0]).toMatchObject({
      outcome: 'refused',
      detail: expect.stringContaining('API key') as string,
      changes: [],
    });
  });

  it('refuses a compressed event, whose signature could not be checked', async () => {
    const sent = good();
    expect(await send(`${path()}?api_key=${hook.apiKey}`, { ...sent, headers: { ...sent.headers, 'content-encoding': 'gzip' } })).toBe(
      'CONTENT_ENCODING_UNSUPPORTED',
    );
  });

  it('accepts the API key in a header too', async () => {
    const sent = good();
    const answer = await world.call('POST', path(), { as: null, ...sent, headers: { ...sent.headers, 'x-api-key': hook.apiKey } });
    expect(answer.status).toBe(202);
  });

  it('puts the signature before parsing', async () => {
    const address = `${path()}?api_key=${hook.apiKey}`;
    const broken = { body: '{', headers: { 'content-type': 'application/json', 'x-github-event': 'push' } };
    expect(await send(address, broken)).toBe('INVALID_SIGNATURE');
    expect(await send(address, GITHUB.sign(broken, hook.secret))).toBe('BODY_UNPARSABLE');
    expect(await send(address, GITHUB.sign({ ...broken, body: '{"ref":1}' }, hook.secret))).toBe('BODY_INVALID');
  });

  it('verifies the signature of the raw bytes, not of the parsed content', async () => {
    const sent = good();
    expect(await send(`${path()}?api_key=${hook.apiKey}`, { ...sent, body: `${sent.body} ` })).toBe('INVALID_SIGNATURE');
  });

  it('has no webhook for a removed repository', async () => {
    const removed = await world.ready();
    const credentials = await world.webhook(removed.repositoryId);
    await world.call('DELETE', `${LIST}/${removed.repositoryId}`);
    const sent = GITHUB.sign(GITHUB.push('main', randomUUID()), credentials.secret);
    expect(answered(await post(credentials.address, sent))).toEqual([404, 'WEBHOOK_NOT_FOUND']);
  });
});
