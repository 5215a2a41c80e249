import { CreatedApiKey } from '@repoless/contract/credentials.ts';
import { OrgChecks } from '@repoless/contract/site-check.ts';
import type { OrgEvent } from '@repoless/contract/event.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import type { Resolve } from '@repoless/service/remote/guarded-lookup.ts';
import { type AddressInfo, createServer } from 'node:net';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { TestAnswer } from '../support/ask.ts';
import { OPERATOR, siteBody, startTestBackend, type TestBackend } from '../support/backend.ts';
import { org, siteWrite } from '../support/builders.ts';
import { freePort } from '../support/free-port.ts';
import { startEventWorld, startMailReceiver } from '../support/message-receivers.ts';
import { type SecureHost, startSecureHost } from '../support/secure-host.ts';
import { startBeforeAll, stopAfterTest } from '../support/start-before-all.ts';

const ORGS = ['wknd', 'acme'] as const;
const DAY = 24 * 60 * 60_000;
let author: SecureHost;
/** Milliseconds by which the service's clock is ahead: it never goes back, so sign-ins expire. */
let ahead = 0;
/** API keys by organization. */
const keys = new Map<string, string>();

const mail = startBeforeAll(() => startMailReceiver());
const world = startBeforeAll(() => {
  const settings = { SITE_CHECK_INTERVAL: '0', SMTP_URL: mail.url, MAIL_FROM: 'service@repoless.example' };
  return startEventWorld({ settings, orgs: [...ORGS], resolve: unknown, now: () => new Date(Date.now() + ahead) });
});
beforeAll(async () => {
  for (const owner of ORGS) {
    const created = await world.backend.call('POST', `/config/${owner}/apiKeys.json`, { as: OPERATOR, body: { roles: ['admin'] } });
    keys.set(owner, CreatedApiKey.parse(created.json()).value);
  }
  await world.subscribe({ type: 'email', to: OPERATOR }, { kinds: ['certificate-ends'] });
});
beforeEach(async () => {
  author = await startSecureHost(['author.localhost'], 5);
  return () => author.stop();
});

/** No other name resolves here. */
const unknown: Resolve = (name, _options, callback) => callback(Object.assign(new Error(name), { code: 'ENOTFOUND' }), []);

type Called = (owner: string, method: string, path: string, body?: unknown) => Promise<TestAnswer>;
const called: Called = (owner, method, path, body) =>
  world.backend.call(method, `/config/${owner}/${path}`, {
    headers: { 'x-auth-token': keys.get(owner) ?? '' },
    ...(body === undefined ? {} : { body }),
  });

/** A site whose content source is a host of this machine. */
function on(host: string, owner: string, site: string): Record<string, unknown> {
  return siteBody(owner, site, {
    code: { owner: 'wknd', repo: 'wknd' },
    content: { source: { url: `https://${host}/bin/franklin.delivery/${owner}/${site}/main`, type: 'markup' } },
  });
}

async function put(owner: string, site: string, body: Record<string, unknown>): Promise<void> {
  const { status, text } = await called(owner, 'PUT', `sites/${site}.json`, body);
  expect([200, 201], text).toContain(status);
}

/** Checks all sites of an organization, and waits until the findings about hosts are reported: `until` passes. */
async function check(owner: string, until: () => Promise<unknown>, call: Called = called): Promise<void> {
  expect((await call(owner, 'POST', 'checks.json')).status).toBe(202);
  await vi.waitFor(
    async () => {
      expect(OrgChecks.parse((await call(owner, 'GET', 'checks.json')).json()).running).toBeUndefined();
      await until();
    },
    { timeout: 20_000, interval: 20 },
  );
}

async function events(owner = 'wknd'): Promise<OrgEvent[]> {
  const found = await world.backend.store.events.events(owner, { limit: 100 });
  return found.filter(({ kind, about }) => kind === 'certificate-ends' && about?.endsWith(`:${author.port}`));
}
const reported = async (owner?: string) => (await events(owner)).map(({ cause, phase }) => `${cause.split(':', 1)[0] ?? ''} ${phase}`);
const seen = async (host: string) => await world.backend.store.shortLived.get('certificate', host);

describe('the certificate of an author host', () => {
  it('that expires soon is reported once to each organization whose sites name the host, and once when it is replaced', async () => {
    const host = `author.localhost:${author.port}`;
    await put('wknd', 'one', on(host, 'wknd', 'one'));
    await put('wknd', 'two', on(host, 'wknd', 'two'));
    const body = on(host, 'acme', 'three');
    const created = await world.backend.call('PUT', '/config/acme/sites/three.json?unchecked=true', { as: OPERATOR, body });
    expect(created.status, created.text).toBe(201);

    await check('wknd', async () => expect(await reported()).toEqual(['certificate began']));
    const [began] = await events();
    expect(began).toMatchObject({ about: host, open: true });
    expect(began?.site).toBeUndefined();
    expect(Date.parse(began?.detail ?? '') - Date.now()).toBeGreaterThan(4 * DAY);
    await check('acme', async () => expect(await reported('acme')).toEqual(['certificate began']));
    expect((await events('acme'))[0]).toMatchObject({ site: 'three' });
    expect(author.connections()).toBe(1);
    const [letter = ''] = await mail.until(1);
    expect(unfolded(letter)).toContain(`the certificate of ${host} expires soon. Renew it, or ask whoever runs the host to renew it.`);

    await author.show(['author.localhost'], 90);
    await check('wknd', async () => expect(await reported()).toEqual(['certificate began']));
    expect(author.connections()).toBe(1);
    ahead += 61_000;
    await check('wknd', async () => expect(await reported()).toEqual(['certificate ended', 'certificate began']));
    await check('acme', async () => expect(await reported('acme')).toEqual(['certificate ended', 'certificate began']));
    expect(author.connections()).toBe(2);
    ahead += 61_000;
    await check('wknd', async () => expect(await seen(host)).toMatchObject({ isForHost: true }));
    expect(await reported()).toEqual(['certificate ended', 'certificate began']);
  });

  it('that has expired or is for another host is reported with its problem', async () => {
    await author.show(['another.localhost'], 1);
    ahead += 2 * DAY;
    const host = `author.localhost:${author.port}`;
    await put('wknd', 'one', on(host, 'wknd', 'one'));
    await check('wknd', async () => expect(await reported()).toEqual(['certificate-name began', 'certificate began']));
    const [name, end] = await events();
    expect(name?.detail).toBeUndefined();
    expect([name?.site, end?.site]).toEqual(['one', 'one']);
    const letters = () => mail.all.map(unfolded).join('\n');
    await vi.waitFor(() => {
      expect(letters()).toContain(`the certificate of ${host} (site one) has expired.`);
      expect(letters()).toContain(`It expired at ${end?.detail ?? ''}.`);
      expect(letters()).toContain(`the certificate of ${host} (site one) is not valid for that host name.`);
    });

    await put('wknd', 'one', on('author.example.com', 'wknd', 'one'));
    await check('wknd', async () =>
      expect((await reported()).slice(0, 2).toSorted()).toEqual(['certificate ended', 'certificate-name ended']),
    );
  });

  it('is not reported if the host is unreachable or does not respond', async () => {
    const silent = createServer();
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const hosts = [`author.localhost:${author.port}`, `author.localhost:${(silent.address() as AddressInfo).port}`];
    for (const [index, host] of hosts.entries()) await put('wknd', `gone-${index}`, on(host, 'wknd', `gone-${index}`));
    await author.stop();
    // The silent host times out after LIMITS.certificateTime.
    await check('wknd', async () => expect(await Promise.all(hosts.map(seen))).toEqual([NOT_REACHED, NOT_REACHED]));
    expect(await reported()).toEqual([]);
    silent.close();
  });

  it('is read for at most LIMITS.checkedHosts hosts at a time, and for the others in the next check', async () => {
    const names = Array.from({ length: LIMITS.checkedHosts + 5 }, (_, index) => `of-many-${index}`);
    await world.backend.store.write(async (writes) => {
      for (const name of names) {
        const url = `https://${name}.localhost:${author.port}/bin/franklin.delivery/acme/${name}/main`;
        await writes.putSite(siteWrite(name, { content: { source: { url, type: 'markup' } } }, 1, 'acme'));
      }
    });
    const ofMany = async () =>
      (await world.backend.store.events.events('acme', { limit: 200 })).filter(({ cause }) =>
        cause.startsWith('certificate-name:of-many-'),
      );
    const [first = ''] = names;
    await check('acme', async () => expect((await ofMany()).some(({ cause }) => cause.includes(`:${first}.`))).toBe(true));
    await world.backend.store.write((writes) => writes.deleteSite('acme', first, new Date()));
    // The second check starts when the first has ended, which the events show: problems of hosts no longer named end.
    await check('acme', async () => expect(await ofMany()).toHaveLength(names.length + 1));
    const ofHosts = await ofMany();
    const end = ofHosts.find(({ phase }) => phase === 'ended');
    expect(end?.cause).toContain(first);
    const inFirst = ofHosts.filter(({ id }) => id < (end?.id ?? 0)).length;
    expect(inFirst).toBeLessThanOrEqual(LIMITS.checkedHosts);
    expect(inFirst).toBeGreaterThan(LIMITS.checkedHosts / 2);
  });
});

it('the certificate of a site’s CDN host is checked, too', async () => {
  const host = `www.localhost:${author.port}`;
  await put('wknd', 'two', { ...on('author.example.com', 'wknd', 'two'), cdn: { live: { host } } });
  await check('wknd', async () => expect(await reported()).toEqual(['certificate-name began', 'certificate began']));
  expect((await events()).map(({ about, site }) => [about, site])).toEqual([
    [host, 'two'],
    [host, 'two'],
  ]);
});

it('the certificates of the service and its preview and live hosts are checked', async () => {
  const [own, port] = [`service.localhost:${author.port}`, await freePort()];
  const hosts = { PUBLIC_ADDRESS: `https://${own}`, PREVIEW_DOMAIN: 'page.example', LIVE_DOMAIN: 'live.example' };
  const settings = { ...hosts, ...ROUND, PORT: String(port) };
  const backend = await stopAfterTest(
    startTestBackend({ claim: false, settings, resolve: (_name, _options, callback) => callback(null, [HERE]) }),
  );
  const { store } = backend;
  await store.write(async (writes) => {
    await writes.putOrg(org('wknd', { users: [{ id: '1', email: OPERATOR, roles: ['admin'] }] }));
    await writes.putSite(siteWrite('one', {}, 1, 'wknd'));
  });
  const open = () => store.events.openCauses('wknd', 'certificate-ends');
  await check('wknd', async () => expect(await open()).toEqual([`certificate-name:${own}`, `certificate:${own}`]), at(backend));
  for (const tier of ['page', 'live'])
    await vi.waitFor(async () => expect(await store.shortLived.get('certificate', `*.${tier}.example`)).toBeDefined());
});

it('internal addresses are not connected to if the settings refuse them', async () => {
  const backend = await stopAfterTest(startTestBackend({ claim: false, settings: { INTERNAL_ADDRESSES: 'refuse', ...ROUND } }));
  const [named, literal] = [`author.localhost:${author.port}`, `127.0.0.1:${author.port}`];
  const source = (host: string, site: string) =>
    ({ url: `https://${host}/bin/franklin.delivery/wknd/${site}/main`, type: 'markup' }) as const;
  await backend.store.write(async (writes) => {
    await writes.putOrg(org('wknd', { users: [{ id: '1', email: OPERATOR, roles: ['admin'] }] }));
    await writes.putSite(siteWrite('one', { content: { source: source(named, 'one') } }, 1, 'wknd'));
    await writes.putSite(siteWrite('two', { content: { source: source(literal, 'two') } }, 1, 'wknd'));
  });
  const stored = async () => await Promise.all([named, literal].map((host) => backend.store.shortLived.get('certificate', host)));
  await check('wknd', async () => expect(await stored()).not.toContain(undefined), at(backend));
  expect(author.connections()).toBe(0);
});

const at =
  (service: TestBackend): Called =>
  (owner, method, path) =>
    service.call(method, `/config/${owner}/${path}`, { as: OPERATOR });
const NOT_REACHED = { at: expect.any(String) as string };
const ROUND = { SITE_CHECK_INTERVAL: '0' };
const HERE = { address: '127.0.0.1', family: 4 };

/** A mail with its folded lines joined. */
function unfolded(letter: string): string {
  return letter.replaceAll(/=\r?\n/g, '').replaceAll('=3D', '=');
}
