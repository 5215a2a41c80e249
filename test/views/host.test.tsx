import { Panel } from '@repoless/extension/app/Panel.tsx';
import { editedPage } from '@repoless/extension/host/guest.ts';
import { createHostSource, type HostFailure, serviceAddress } from '@repoless/extension/host/host.ts';
import { parseRoute, printPageProperties } from '@repoless/extension/routes.ts';
import { render, screen } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { violations } from './render-page.tsx';

const world = { locale: 'en-US', theme: 'light' } as const;

describe('the way in', () => {
  test.each([
    ['', '', true, { view: 'register' }],
    ['', '', false, { view: 'start' }],
    ['#/register', '', true, { view: 'register' }],
    ['#/page-properties', '', true, { view: 'page-properties' }],
    ['', '?author=https://a.example&path=/content/a', false, { view: 'page-properties', author: 'https://a.example', path: '/content/a' }],
    [
      '#/sites?author=https://a.example&path=/a&org=wknd',
      '',
      false,
      { view: 'sites', author: 'https://a.example', path: '/a', org: 'wknd' },
    ],
    ['#/sites?org=', '', true, { view: 'sites' }],
    ['#/elsewhere', '', true, { view: 'start' }],
  ])('hash "%s" and query "%s" (framed: %s) lead to %o', (hash, search, framed, route) => {
    expect(parseRoute(hash, search, framed)).toEqual(route);
  });

  test('a printed route is read as what was printed', () => {
    const page = { author: 'https://author-p1-e2.example.com:8443', path: '/content/wknd & co/ch/de' };
    expect(parseRoute(printPageProperties(page), '', true)).toEqual({ view: 'page-properties', ...page });
  });

  test.each([
    ['location', { connections: { a: 'aem:https://author.example' }, location: 'https://author.example/content/wknd/en.html' }],
    [
      'editables',
      { connections: { a: 'aem:https://author.example' }, editables: [{ resource: 'urn:a:/content/wknd/en/jcr:content/root' }] },
    ],
  ])('the page open in the editor is told by its %s', (_by, state) => {
    expect(editedPage(state)).toEqual({ author: 'https://author.example', path: '/content/wknd/en' });
  });

  test('an editor that says nothing useful opens no page', () => {
    expect(editedPage(undefined)).toBeUndefined();
    expect(editedPage({ location: 'https://author.example/aem/start.html' })).toBeUndefined();
  });
});

describe('the address of the service', () => {
  const none = async (): Promise<unknown> => undefined;

  test.each([
    ['flat', { service: 'https://admin.example.com/' }],
    ['by identifier', { repoless: { service: 'https://admin.example.com' } }],
  ])('comes from the host’s configuration, %s', async (_form, configuration) => {
    expect(await serviceAddress(configuration, none)).toEqual({ service: 'https://admin.example.com' });
  });

  test('comes from the settings beside the app where the host says nothing', async () => {
    expect(await serviceAddress({}, async () => ({ service: 'https://other.example.com' }))).toEqual({
      service: 'https://other.example.com',
    });
  });

  test('is refused when it is no web address', async () => {
    const answer = await serviceAddress({ service: 'javascript:alert(1)' }, none);
    expect(answer).toEqual({ failure: { reason: 'service-invalid', address: 'javascript:alert(1)' } });
  });
});

describe('a panel that cannot start', () => {
  test.each<[HostFailure, RegExp]>([
    [{ reason: 'unreachable' }, /Close the panel and open it again/],
    [{ reason: 'service-missing' }, /Ask your administrator to set “service”/],
    [{ reason: 'service-invalid', address: 'x' }, /“x” is not a valid address/],
    [{ reason: 'page-missing' }, /Open a page of the site in the editor/],
  ])('says why and what to do: %o', async (failure, sentence) => {
    render(<Panel source={createHostSource({ state: 'failed', failure, ...world })} framed />);
    await screen.findByText(sentence);
    expect(await violations()).toEqual([]);
  });

  test('says that it connects', async () => {
    render(<Panel source={createHostSource({ state: 'loading', ...world })} framed />);
    await screen.findByText('Connecting to the authoring system…');
    expect(await violations()).toEqual([]);
  });
});
