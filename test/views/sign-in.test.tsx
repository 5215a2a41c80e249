import { SignedIn } from '@repoless/extension/app/Panel.tsx';
import { connect } from '@repoless/extension/host/connection.ts';
import { SignIn } from '@repoless/extension/features/sign-in/SignInWay.tsx';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { renderInSurface } from './in-surface.tsx';
import { violations } from './render-page.tsx';
import { INFO, SERVICE } from './world.ts';

type Answer = (path: string) => { readonly status: number; readonly body: unknown };

const HOSTED = { ...INFO, hosted: 'https://admin.example.com' };
const DEVICE = {
  device_code: 'device',
  user_code: 'WXYZ-1234',
  verification_uri: `${SERVICE}/device`,
  verification_uri_complete: `${SERVICE}/device?user_code=WXYZ-1234`,
  expires_in: 600,
  interval: 0,
};

/** Answers the service's sign-in requests. */
function answerWith(answer: Answer): void {
  vi.stubGlobal('fetch', async (input: string) => {
    const { status, body } = answer(new URL(input).pathname);
    return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });
  });
}

function show(mode: 'framed' | 'stand-alone', hostToken?: string) {
  const counts = { signedIn: 0 };
  const connection = connect({ service: SERVICE, author: 'https://author-p1-e2.example.com', mode, hostToken: () => hostToken });
  const onSignedIn = (): void => void counts.signedIn++;
  renderInSurface(<SignIn connection={connection} mode={mode} ended={false} onSignedIn={onSignedIn} />, {
    standAlone: mode === 'stand-alone',
  });
  return { counts, connection, person: userEvent.setup() };
}

afterEach(() => vi.unstubAllGlobals());

describe('signing in', () => {
  test('is skipped if the host’s sign-in is trusted', async () => {
    answerWith((path) =>
      path === '/auth/exchange' ? { status: 200, body: { token: 'service-token', exp: 9_000_000_000 } } : { status: 200, body: INFO },
    );
    const { counts, connection } = show('framed', 'host-token');
    await expect.poll(() => counts.signedIn).toBe(1);
    expect(await connection.session.token()).toBe('service-token');
  });

  test('uses a code if no window can be opened, and waits until access is allowed', async () => {
    let allowed = false;
    answerWith((path) => {
      if (path === '/auth/device') return { status: 200, body: DEVICE };
      if (path !== '/auth/device/token') return { status: 200, body: INFO };
      return allowed
        ? { status: 200, body: { access_token: 'by-code', token_type: 'Bearer', expires_in: 3600 } }
        : { status: 400, body: { error: 'authorization_pending' } };
    });
    vi.stubGlobal('open', () => null);
    const { counts, connection, person } = show('framed');
    await screen.findByRole('button', { name: 'Sign in' });
    // The way that works in every frame comes first.
    expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['Sign in with a code', 'Sign in']);
    await person.click(screen.getByRole('button', { name: 'Sign in' }));
    await screen.findByText('WXYZ-1234');
    screen.getByText(/Couldn’t open the window/);
    expect(await violations()).toEqual([]);
    expect(counts.signedIn).toBe(0);
    allowed = true;
    await expect.poll(() => counts.signedIn).toBe(1);
    expect(await connection.session.token()).toBe('by-code');
  });

  test('reports that access was denied, and offers a new code', async () => {
    answerWith((path) => {
      if (path === '/auth/device') return { status: 200, body: DEVICE };
      return path === '/auth/device/token' ? { status: 400, body: { error: 'access_denied' } } : { status: 200, body: INFO };
    });
    const { person } = show('stand-alone');
    await person.click(await screen.findByRole('button', { name: 'Sign in with a code' }));
    await screen.findByText(/Access was denied/);
    screen.getByRole('button', { name: 'Get a new code' });
    expect(await violations()).toEqual([]);
  });

  test('reports that the service does not respond, and retries', async () => {
    vi.stubGlobal('fetch', async () => {
      throw new TypeError('connection refused');
    });
    const { person } = show('stand-alone');
    await screen.findByText('The configuration service does not respond.');
    expect(await violations()).toEqual([]);
    answerWith(() => ({ status: 200, body: INFO }));
    await person.click(screen.getByRole('button', { name: 'Try again' }));
    await screen.findByRole('button', { name: 'Sign in' });
  });
});

test.each([
  ['stand-alone', INFO, 'The code signed you in to the configuration service only, not to the authoring system.', ['Sign in']],
  ['framed', INFO, /^This editor does not share your sign-in/, ['Copy address']],
  // The hosted service has no such sign-in, in whatever window.
  ['stand-alone', HOSTED, /^This page has no sign-in to the authoring system, and the hosted service/, []],
  ['framed', HOSTED, /^This page has no sign-in to the authoring system, and the hosted service/, []],
] as const)('without a sign-in to the authoring system, a %s page shows how to get one', async (mode, info, sentence, buttons) => {
  answerWith(() => ({ status: 200, body: info }));
  const connection = connect({ service: SERVICE, author: 'https://author-p1-e2.example.com', mode, hostToken: () => undefined });
  connection.session.accept({ token: 'of-the-service', exp: 9_000_000_000 });
  renderInSurface(<SignedIn connection={connection} path="/content/site" mode={mode} view="page-properties" organization={undefined} />, {
    standAlone: mode === 'stand-alone',
  });
  await screen.findByText(sentence);
  expect(screen.queryAllByRole('button').map(({ textContent, ariaLabel }) => ariaLabel ?? textContent)).toEqual(buttons);
  expect(await violations()).toEqual([]);
});

describe('a stand-alone page that is reloaded', () => {
  const load = (service = SERVICE, mode: 'framed' | 'stand-alone' = 'stand-alone', author = 'https://author-p1-e2.example.com') =>
    connect({ service, author, mode, hostToken: () => undefined });
  const authoringToken = (exp: number) => `e30.${btoa(JSON.stringify({ exp }))}.`;

  test('stays signed in at its service and the authoring system until either sign-in ends', async () => {
    const first = load();
    first.session.accept({ token: 'of-the-service', exp: 9_000_000_000 });
    first.acceptAuthoringToken(authoringToken(9_000_000_000));
    const again = load();
    expect(await again.session.token()).toBe('of-the-service');
    expect(again.hasAuthoringToken()).toBe(true);
    for (const other of [load('https://another.example.com'), load(SERVICE, 'framed')]) {
      expect(await other.session.token()).toBeUndefined();
      expect(other.hasAuthoringToken()).toBe(false);
    }
    expect(load(SERVICE, 'stand-alone', 'https://author-p666-e1.example.com').hasAuthoringToken()).toBe(false);
    again.acceptAuthoringToken(authoringToken(1));
    expect(load().hasAuthoringToken()).toBe(false);
    again.session.clear();
    expect(await load().session.token()).toBeUndefined();
    expect(sessionStorage).toHaveLength(0);
  });
});

describe('the connection to another author', () => {
  const other = (number: number) => `https://author-p1-e${number}.example.com`;

  test('is the same object each time, so that a view reads once however often it is rendered', () => {
    const connection = connect({ service: SERVICE, author: other(1), mode: 'framed', hostToken: () => undefined });
    expect(connection.portsOf(other(2))).toBe(connection.portsOf(other(2)));
    expect(connection.portsOf(other(1))).toBe(connection.ports);
    expect(connection.portsOf(other(3))).not.toBe(connection.portsOf(other(2)));
  });

  test('stays the same while it is used, however many others are used', () => {
    const connection = connect({ service: SERVICE, author: other(1), mode: 'framed', hostToken: () => undefined });
    const shown = connection.portsOf(other(2));
    for (let number = 3; number < 1000; number++) {
      connection.portsOf(other(number));
      expect(connection.portsOf(other(2))).toBe(shown);
    }
  });
});
