import { beforeAll, describe, expect, it } from 'vitest';
import { decodeJwt } from 'jose';
import { CommandLineMessage, ExtensionMessage, LoginLinks } from '@repoless/contract/session.ts';
import { OPERATOR, siteBody } from '../support/backend.ts';
import { startBeforeAll } from '../support/start-before-all.ts';
import { EXTENSION_ID, startSessionService } from './session-service.ts';
import { runInNewContext } from 'node:vm';
import { PASSWORD } from '@repoless/sandbox/identity-provider/accounts.ts';
import { createVisitor, type Visited } from '../support/visitor.ts';

const READER = 'nora.neighbour@example.com';
const STRANGER = 'sam.stranger@example.com';
const ACK = 'http://localhost:43210/.aem/cli/login/ack';
const STATE = '5f0a-</script>-"state"';

const service = startBeforeAll(() => startSessionService({ identityProvider: 'sandbox', claim: true }));
beforeAll(async () => {
  const url = (site: string) => `https://author-p1-e1.example.com/bin/franklin.delivery/wknd/${site}/main`;
  for (const [site, access] of [
    ['open', {}],
    ['shut', { site: { allow: [READER] } }],
  ] as const) {
    const body = siteBody('wknd', site, { content: { source: { url: url(site), type: 'markup' } }, access });
    expect((await service.backend.call('PUT', `/config/wknd/sites/${site}.json`, { as: OPERATOR, body })).status).toBe(201);
  }
});

function signInQuery(more: Readonly<Record<string, string>> = {}): string {
  return new URLSearchParams({ client_id: 'aem-cli', redirect_uri: ACK, state: STATE, selectAccount: 'true', ...more }).toString();
}

type Sent = Omit<RequestInit, 'body'> & { readonly body: string };

/** Renders a page whose button a person may press. `answers`: the command line's status, or the error of reaching it. */
function shown(page: { text: string }, answers: number | Error = 200) {
  const sent: { to: string; init: Sent }[] = [];
  const gone: string[] = [];
  const button = {
    disabled: false,
    press: async () => {},
    addEventListener: (_: string, press: () => Promise<void>) => (button.press = press),
  };
  const status = { textContent: '' };
  runScript(page, {
    document: { getElementById: (id: string) => ({ send: button, sent: status })[id] },
    window: { location: { origin: 'http://service.example', replace: (to: string) => gone.push(to) } },
    async fetch(to: string, init: Sent) {
      sent.push({ to, init });
      if (answers instanceof Error) throw answers;
      return { ok: answers < 300, status: answers };
    },
  });
  return { sent, gone, button, status };
}

describe('a command line on the machine of the person who signs in', () => {
  it.each([
    `/login/wknd/shut/main?${signInQuery()}`,
    `/login/wknd/shut?${signInQuery()}`,
    `/wknd/sites/shut/login?${signInQuery()}`,
    `/login?${signInQuery({ org: 'wknd', site: 'shut' })}`,
  ])('gets the tokens when the person presses the button, from %s', async (path) => {
    const page = await service.signIn(path, READER);
    expect(page.status).toBe(200);
    expect([page.text.includes('nora.neighbour@example.com'), page.text.includes(ACK)]).toEqual([true, true]);
    const { sent, gone, button } = shown(page);
    expect([sent, gone]).toEqual([[], []]);
    await button.press();
    expect(
      sent.map(({ to, init: { method, headers, redirect, credentials } }) => ({ to, method, headers, redirect, credentials })),
    ).toEqual([{ to: ACK, method: 'POST', headers: { 'content-type': 'application/json' }, redirect: 'error', credentials: 'omit' }]);
    expect(gone).toEqual([ACK]);
    const { state, siteToken, authToken } = CommandLineMessage.parse(JSON.parse(sent[0]?.init.body ?? ''));
    expect([state, decodeJwt(authToken)['email']]).toEqual([STATE, READER]);
    const profile = await service.backend.call('GET', '/profile', { headers: { 'x-auth-token': authToken } });
    expect(profile.json()).toMatchObject({ profile: { email: READER } });
    const visit = async (headers: Record<string, string>) =>
      (await service.backend.visit('live', 'main--shut--wknd', '/x', { headers })).status;
    expect([await visit({ authorization: `token ${siteToken}` }), await visit({})]).toEqual([502, 401]);
  });

  it('gets no site token if no host is guarded or the person may read none', async () => {
    for (const [site, who] of [
      ['open', READER],
      ['shut', STRANGER],
      ['missing', READER],
    ] as const) {
      const { sent, button } = shown(await service.signIn(`/login/wknd/${site}/main?${signInQuery()}`, who));
      await button.press();
      expect(Object.keys(JSON.parse(sent[0]?.init.body ?? '')), site).toEqual(['state', 'authToken']);
    }
  });

  it('is the only target of the page; the browser gets no session, and no address contains a token', async () => {
    const page = await service.signIn(`/login/wknd/shut/main?${signInQuery()}`, READER);
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(
      new RegExp(`^default-src 'none'; connect-src ${ACK}; style-src 'nonce-[0-9a-f]+'; script-src 'nonce-[0-9a-f]+'; form-action 'self';`),
    );
    expect(policy).toContain("frame-ancestors 'none'");
    expect(page.headers.getSetCookie().join(' ')).not.toContain('auth_token');
    expect(page.headers.get('cache-control')).toContain('no-store');
    expect(page.text.match(/<\/script>/g)).toHaveLength(1);
    const { sent, button } = shown(page);
    await button.press();
    const { authToken, siteToken } = CommandLineMessage.parse(JSON.parse(sent[0]?.init.body ?? ''));
    const addresses = [
      page.address,
      ...sent.map(({ to }) => to),
      ...[...page.text.matchAll(/(?:href|src|action)="([^"]*)"/g)].map(([, to]) => to),
    ];
    for (const token of [authToken, String(siteToken)]) expect(addresses.filter((to) => to?.includes(token))).toEqual([]);
  });

  it('can be sent the tokens again if it did not answer, but not if it refused them', async () => {
    const page = await service.signIn(`/login/wknd/shut/main?${signInQuery()}`, READER);
    const away = shown(page, new TypeError('Failed to fetch'));
    await away.button.press();
    expect([away.gone, away.button.disabled, away.status.textContent]).toEqual([
      [],
      false,
      expect.stringContaining('http://service.example'),
    ]);
    const refusing = shown(page, 400);
    await refusing.button.press();
    expect([refusing.gone, refusing.button.disabled, refusing.status.textContent]).toEqual([[], true, expect.stringContaining('400')]);
  });

  it.each([
    'http://localhost:1/.aem/cli/login/ack',
    'https://localhost:65535/.aem/cli/login/ack',
    'http://127.0.0.1:3000/.aem/cli/login/ack',
  ])('can listen at %s', async (redirect) => {
    const { sent, button } = shown(await service.signIn(`/login/wknd/shut/main?${signInQuery({ redirect_uri: redirect })}`, READER));
    await button.press();
    expect(sent.map(({ to }) => to)).toEqual([redirect]);
  });

  it('gets the tokens at its default port if it names no address, and needs no state', async () => {
    const { sent, button } = shown(await service.signIn('/login/wknd/shut/main?client_id=aem-cli', READER));
    await button.press();
    expect(sent.map(({ to }) => to)).toEqual(['http://localhost:3000/.aem/cli/login/ack']);
    expect(Object.keys(JSON.parse(sent[0]?.init.body ?? ''))).toEqual(['siteToken', 'authToken']);
  });
});

const ELSEWHERE = [
  'http://localhost/.aem/cli/login/ack',
  'http://localhost:/.aem/cli/login/ack',
  'http://localhost:0/.aem/cli/login/ack',
  'http://localhost:65536/.aem/cli/login/ack',
  'http://localhost:3000/.aem/cli/login/ack/',
  'http://localhost:3000/.aem/cli/login/ack?next=1',
  'http://localhost:3000/.aem/cli/login/ack#part',
  'http://localhost:3000/.aem/cli/login/%61ck',
  'http://localhost:3000/.aem/cli/../cli/login/ack',
  'http://localhost:3000//.aem/cli/login/ack',
  'http://localhost:3000/.aem/cli/login',
  'http://localhost:3000/',
  'http://user@localhost:3000/.aem/cli/login/ack',
  'http://localhost:3000@evil.example.com/.aem/cli/login/ack',
  'http://localhost.evil.example.com:3000/.aem/cli/login/ack',
  'http://LOCALHOST:3000/.aem/cli/login/ack',
  'http://localhost.:3000/.aem/cli/login/ack',
  'http://127.1:3000/.aem/cli/login/ack',
  'http://0.0.0.0:3000/.aem/cli/login/ack',
  'http://192.168.0.1:3000/.aem/cli/login/ack',
  'http://evil.example.com:3000/.aem/cli/login/ack',
  'http:\\\\localhost:3000/.aem/cli/login/ack',
  ' http://localhost:3000/.aem/cli/login/ack',
  'http://localhost:3000/.aem/cli/login/ack\n',
  'http://localhost:3000/.aem/cli/login/ack; script-src *',
  'javascript:alert(1)//localhost:3000/.aem/cli/login/ack',
  'ftp://localhost:3000/.aem/cli/login/ack',
  '',
];

describe('refused before the sign-in:', () => {
  it.each([
    ...ELSEWHERE.map((redirect): [string, Record<string, string>] => [
      `the address ${JSON.stringify(redirect)}`,
      { redirect_uri: redirect },
    ]),
    ['another client', { client_id: 'other' }],
    ['the client in another case', { client_id: 'AEM-CLI' }],
    ['no client at all', { client_id: '' }],
    ['an additional browser extension', { extensionId: EXTENSION_ID }],
  ] as [string, Record<string, string>][])('%s', async (_, more) => {
    for (const path of ['/login/wknd/shut/main', '/wknd/sites/shut/login', '/login']) {
      for (const accept of ['text/html', 'application/json']) {
        const answer = await service.backend.call('GET', `${path}?${signInQuery(more)}`, { headers: { accept } });
        expect([answer.status, answer.code, answer.headers['set-cookie']]).toEqual([400, 'QUERY_INVALID', undefined]);
      }
    }
  });

  it('an address without a client', async () => {
    const answer = await service.backend.call('GET', `/login?redirect_uri=${encodeURIComponent(ACK)}`, {
      headers: { accept: 'text/html' },
    });
    expect(answer).toMatchObject({ status: 400, code: 'QUERY_INVALID' });
  });
});

it('a client that accepts JSON gets a link for the command line', async () => {
  const answer = await service.backend.call('GET', `/login/wknd/shut/main?${signInQuery()}`);
  const [link = ''] = Object.values(LoginLinks.parse(answer.json()).links);
  const expected = { client_id: 'aem-cli', redirect_uri: ACK, state: STATE, org: 'wknd', site: 'shut' };
  expect(Object.fromEntries(new URL(link).searchParams)).toEqual(expected);
});

describe('a browser extension', () => {
  const handed = async (site: string, who: string) => {
    const messages: unknown[] = [];
    const window = { chrome: { runtime: { sendMessage: (_: string, message: unknown) => messages.push(message) } }, close: () => {} };
    runScript(await service.signIn(`/login/wknd/${site}/main?extensionId=${EXTENSION_ID}`, who), { window, chrome: window.chrome });
    return ExtensionMessage.parse(messages[0]);
  };

  it('gets a site token with its expiry if the site is guarded and the person may read it', async () => {
    const { siteToken, siteTokenExpiry = 0, exp } = await handed('shut', READER);
    const visited = await service.backend.visit('live', 'main--shut--wknd', '/x', { headers: { authorization: `token ${siteToken}` } });
    expect(visited.status).toBe(502);
    expect(siteTokenExpiry).toBe((decodeJwt(String(siteToken).slice('hlxtst_'.length)).exp ?? 0) * 1000);
    expect(siteTokenExpiry).toBeGreaterThan(Date.now());
    expect(siteTokenExpiry).toBeLessThanOrEqual(Math.max(exp, Date.now() + 86_400_000));
  });

  it.each([
    ['open', READER],
    ['shut', STRANGER],
  ])('gets no site token for the site "%s" and the person %s', async (site, who) => {
    const message = await handed(site, who);
    expect([message.authToken.length > 0, message.siteToken, message.siteTokenExpiry]).toEqual([true, undefined, undefined]);
  });
});

/** Runs the script of a page as a browser does, with these globals. */
function runScript({ text }: Pick<Visited, 'text'>, globals: Readonly<Record<string, unknown>>): void {
  const [, script = ''] = /<script nonce="[^"]+">([^]*?)<\/script>/.exec(text) ?? [];
  runInNewContext(script, { ...globals });
}

describe('a sign-in from a browser extension', () => {
  const ADA = { email: 'ada.admin@example.com', password: PASSWORD };

  /** What the script of a page sends to extensions, as a browser runs it. */
  function sentBy(page: string): { to: string; message: unknown }[] {
    const sent: { to: string; message: unknown }[] = [];
    const sendMessage = (to: string, message: unknown) => sent.push({ to, message });
    const [, script = ''] = /<script nonce="[^"]+">([^]*?)<\/script>/.exec(page) ?? [];
    const window = { chrome: { runtime: { sendMessage } } };
    runInNewContext(script, { window, ...window });
    return sent;
  }

  it.each([
    [`/login/wknd/first/main?extensionId=${EXTENSION_ID}`, { org: 'wknd', site: 'first', owner: 'wknd', repo: 'first' }],
    [`/login?extensionId=${EXTENSION_ID}&org=wknd&site=first`, { org: 'wknd', site: 'first', owner: 'wknd', repo: 'first' }],
    [`/wknd/sites/first/login?extensionId=${EXTENSION_ID}`, { org: 'wknd', site: 'first' }],
    [`/login?extensionId=${EXTENSION_ID}`, {}],
  ])('by %s sends the token to the extension, and sets no cookie', async (path, place) => {
    const visitor = createVisitor();
    const arrived = await visitor.submit(await visitor.open(`${service.address}${path}`), ADA);
    expect([arrived.status, arrived.headers.getSetCookie().join(' ').includes('auth_token')]).toEqual([200, false]);
    const [handed, ...others] = sentBy(arrived.text);
    expect([handed?.to, others]).toEqual([EXTENSION_ID, []]);
    expect(handed?.message).toMatchObject(place);
    const { authToken, exp } = ExtensionMessage.parse(handed?.message);
    const claims = decodeJwt(authToken);
    expect([claims['email'], claims.exp]).toEqual([ADA.email, exp / 1000]);
    expect((await fetch(`${service.address}/profile`, { headers: { 'x-auth-token': authToken } })).status).toBe(200);
  });

  it('is refused at its start if the extension is not listed', async () => {
    for (const id of ['ponmlkjihgfedcbaponmlkjihgfedcba', 'cookie', '']) {
      for (const accept of ['text/html', 'application/json']) {
        const answer = await fetch(`${service.address}/login?extensionId=${id}`, { headers: { accept }, redirect: 'manual' });
        expect([answer.status, answer.headers.get('x-error-code')]).toEqual([400, 'QUERY_INVALID']);
      }
    }
  });

  it('gives a client that accepts JSON a link for the extension', async () => {
    const started = await fetch(`${service.address}/login/wknd/first/main?extensionId=${EXTENSION_ID}`);
    const [link = ''] = Object.values(LoginLinks.parse(await started.json()).links);
    expect(Object.fromEntries(new URL(link).searchParams)).toEqual({ extensionId: EXTENSION_ID, org: 'wknd', site: 'first' });
  });
});
