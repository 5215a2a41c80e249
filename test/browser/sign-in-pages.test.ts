import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CommandLineMessage, DeviceAuthorization, SignInMessage } from '@repoless/contract/session.ts';
import { type SessionService, startSessionService } from '../http/session-service.ts';
import { EXTENSION_ORIGIN } from '../support/backend.ts';
import { axeViolations } from '../support/axe.ts';
import { launchChromium } from '../support/chromium.ts';

describe.each(['light', 'dark'] as const)('the sign-in pages, %s', (colorScheme) => {
  let browser: Browser;
  let context: BrowserContext;
  let service: SessionService;

  beforeAll(async () => {
    service = await startSessionService({ identityProvider: 'sandbox' });
    browser = await launchChromium();
    context = await browser.newContext({ colorScheme });
  });
  afterAll(async () => {
    await browser.close();
    await service.stop();
  });

  async function chooseAda(page: Page): Promise<void> {
    await page.getByRole('button', { name: /Ada Admin/ }).click();
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  }

  it('lead to the profile, whose token can be copied, without axe violations', async () => {
    const page = await context.newPage();
    await page.goto(`${service.address}/profile`);
    expect(await axeViolations(page)).toEqual([]);
    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Sign in to the sandbox' }).waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await chooseAda(page);
    await page.waitForURL(`${service.address}/profile`);
    await page.getByRole('heading', { name: 'Ada Admin' }).waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: service.address });
    await page.getByRole('button', { name: 'Copy token' }).click();
    await page.getByText('Copied.').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
  });

  it('sign in a device by its code', async () => {
    const started = DeviceAuthorization.parse(await (await fetch(`${service.address}/auth/device`, { method: 'POST' })).json());
    const page = await context.newPage();
    await page.goto(started.verification_uri);
    expect(await axeViolations(page)).toEqual([]);
    await page.getByLabel('Code shown on the device').fill(started.user_code);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Allow' }).waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.getByRole('heading', { name: 'Allowed' }).waitFor();
    expect(await axeViolations(page)).toEqual([]);
  });

  it('send the tokens to a command line on a button press, and can send no other request', async () => {
    const received: { method: string | undefined; body: string }[] = [];
    const waiting = createServer((request, response) => {
      response.setHeader('access-control-allow-origin', service.address);
      response.setHeader('access-control-allow-headers', 'content-type');
      void text(request).then((body) => {
        if (request.url !== '/favicon.ico') received.push({ method: request.method, body });
        response.end(request.method === 'GET' ? 'The command line is signed in.' : '');
      });
    });
    await new Promise<void>((listening) => waiting.listen(0, '127.0.0.1', listening));
    const ack = `http://localhost:${(waiting.address() as AddressInfo).port}/.aem/cli/login/ack`;
    const page = await context.newPage();
    const query = new URLSearchParams({ client_id: 'aem-cli', redirect_uri: ack, state: 'one' }).toString();
    await page.goto(`${service.address}/login/wknd/first/main?${query}`);
    if (!page.url().startsWith(service.address)) await chooseAda(page);
    const send = page.getByRole('button', { name: 'Send' });
    await send.waitFor();
    expect(await axeViolations(page)).toEqual([]);
    for (const other of [`${ack}/other`, new URL('/', ack).href, `${service.address}/profile`])
      await expect(page.evaluate(`fetch(${JSON.stringify(other)})`), other).rejects.toThrow(/Failed to fetch|Content Security Policy/);
    expect(received).toEqual([]);
    await send.click();
    await page.getByText('The command line is signed in.').waitFor();
    expect(received.map(({ method }) => method)).toEqual(['OPTIONS', 'POST', 'GET']);
    const { state, authToken } = CommandLineMessage.parse(JSON.parse(received[1]?.body ?? ''));
    const profile = await fetch(`${service.address}/profile`, { headers: { 'x-auth-token': authToken } });
    expect([state, profile.status]).toEqual(['one', 200]);
    waiting.closeAllConnections();
    await new Promise((closed) => waiting.close(closed));
  });

  it('pass the token to the window that opened them, and close', async () => {
    const opener = await context.newPage();
    await opener.route(`${EXTENSION_ORIGIN}/`, (route) => route.fulfill({ contentType: 'text/html', body: '<title>Extension</title>' }));
    await opener.goto(`${EXTENSION_ORIGIN}/`);
    const login = `${service.address}/login?origin=${encodeURIComponent(EXTENSION_ORIGIN)}`;
    await opener.evaluate(
      `void (window.handed = new Promise((done) => addEventListener('message', ({ data, origin }) => done({ data, origin }))))`,
    );
    const [popup] = await Promise.all([context.waitForEvent('page'), opener.evaluate(`void window.open(${JSON.stringify(login)})`)]);
    const closed = popup.waitForEvent('close');
    await chooseAda(popup);
    const handed = await opener.evaluate<{ data: unknown; origin: string }>('window.handed');
    expect(handed.origin).toBe(service.address);
    expect(SignInMessage.parse(handed.data).authoringToken).toBeDefined();
    await closed;
  });
});
