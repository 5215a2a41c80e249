import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Suspense } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, test, vi, describe } from 'vitest';
import { Surface } from '@repoless/extension/app/Surface.tsx';
import { lazyComponent, lazyView } from '@repoless/extension/ui/lazy-component.tsx';
import { useMessages } from '@repoless/extension/ui/use-messages.ts';
import { violations } from './render-page.tsx';
import { Panel } from '@repoless/extension/app/Panel.tsx';
import { editedPage } from '@repoless/extension/host/guest.ts';
import { createHostSource, type HostFailure, serviceAddress } from '@repoless/extension/host/host.ts';
import { parseRoute, printPageProperties } from '@repoless/extension/routes.ts';

test('a change of language preserves content, input and focus', async () => {
  const { rerender } = render(<Page locale="en-US" />);
  const field = await screen.findByRole('textbox', { name: 'Loading…' });
  await userEvent.type(field, 'typed');
  rerender(<Page locale="de-CH" />);
  expect(screen.getByRole('textbox')).toBe(field);
  expect(await screen.findByRole('textbox', { name: 'Wird geladen\u00a0…' })).toBe(field);
  expect(field).toHaveProperty('value', 'typed');
  expect(document.activeElement).toBe(field);
  rerender(<Page locale="nl-NL" />);
  expect(await screen.findByRole('textbox', { name: 'Loading…' })).toBe(field);
});

test.each([
  ['ar-EG', 'ar-EG', 'rtl'],
  ['he-IL', 'en-US', 'ltr'],
  ['zh-TW', 'en-US', 'ltr'],
  ['zh-SG', 'zh-SG', 'ltr'],
  ['pt-PT', 'pt-PT', 'ltr'],
  ['de-CH', 'de-CH', 'ltr'],
])('a page for %s is laid out as %s, like its messages', async (locale, lang, dir) => {
  const { container } = render(<Page locale={locale} />);
  await screen.findByRole('textbox');
  const surface = container.querySelector('[lang]');
  expect([surface?.getAttribute('lang'), surface?.getAttribute('dir')]).toEqual([lang, dir]);
});

test('missing messages leave an empty, busy page', async () => {
  render(<Page locale="de" />);
  expect(screen.getByRole('main').getAttribute('aria-busy')).toBe('true');
  expect(screen.queryByRole('textbox')).toBeNull();
  await screen.findByRole('textbox', { name: 'Wird geladen\u00a0…' });
  expect(screen.getByRole('main').getAttribute('aria-busy')).toBeNull();
});

test('a part that fails to load is reported beside the input, and loads on retry', async () => {
  let works = false;
  const Part = lazyComponent(async () => {
    if (!works) throw new TypeError('Failed to fetch dynamically imported module');
    return Greeting;
  });
  render(
    <Surface locale="en-US" theme="light" standAlone={false}>
      <Field />
      <Suspense fallback={<p>Wait</p>}>
        <Part name="Ada" />
      </Suspense>
    </Surface>,
  );
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toMatch(/^Couldn’t load this part of the panel\./);
  const field = screen.getByRole('textbox');
  await userEvent.type(field, 'typed');
  expect(await violations()).toEqual([]);
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await screen.findByRole('button', { name: 'Reload the panel' });
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('alert')));
  works = true;
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await screen.findByText('Hello, Ada');
  expect(document.activeElement?.textContent).toBe('Loaded');
  expect(screen.queryByRole('alert')).toBeNull();
  expect(screen.getByRole('textbox')).toBe(field);
  expect(field).toHaveProperty('value', 'typed');
});

test('a view is rendered as soon as its code and messages are loaded, without React’s Suspense timer', async () => {
  const View = lazyView(
    async () => {
      await macrotask();
      return Sites;
    },
    { parts: ['sites'] },
  );
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false);
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  const host = document.body.appendChild(document.createElement('div'));
  const root = createRoot(host);
  try {
    root.render(
      <Surface locale="en-US" theme="light" standAlone={false}>
        <View />
      </Surface>,
    );
    for (let turns = 0; turns < 20_000 && !host.textContent.includes('Reading the sites'); turns++) await macrotask();
    expect(host.textContent).toBe('Reading the sites…');
  } finally {
    root.unmount();
    host.remove();
    vi.useRealTimers();
    vi.unstubAllGlobals();
  }
});

test('a panel that fails to render is reported and can be reloaded; the error’s text is not shown', async () => {
  const logged: unknown[] = [];
  render(
    <Surface locale="de" theme="light" standAlone={false}>
      <Broken />
    </Surface>,
    { onCaughtError: (error) => void logged.push(error) },
  );
  await screen.findByRole('heading', { level: 1, name: 'Die Ansicht funktioniert nicht mehr' });
  screen.getByRole('button', { name: 'Ansicht neu laden' });
  expect(document.activeElement).toBe(screen.getByRole('alert'));
  expect(document.body.textContent).not.toContain('s3cret');
  expect(logged).toHaveLength(1);
  expect(await violations()).toEqual([]);
});

const macrotask = () => new Promise((resolve) => setImmediate(resolve));

function Sites() {
  return <p>{useMessages('sites').sites.reading}</p>;
}

function Broken(): never {
  throw new Error('token s3cret');
}

function Greeting({ name }: { readonly name: string }) {
  return <p>Hello, {name}</p>;
}

function Page({ locale }: { readonly locale: string }) {
  return (
    <Surface locale={locale} theme="light" standAlone={false}>
      <Field />
    </Surface>
  );
}

function Field() {
  return <input aria-label={useMessages().general.loading} />;
}
const world = { locale: 'en-US', theme: 'light' } as const;

describe('the route', () => {
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
  ])('for hash "%s" and query "%s" (framed: %s) is %o', (hash, search, framed, route) => {
    expect(parseRoute(hash, search, framed)).toEqual(route);
  });

  test('is parsed as it was printed', () => {
    const page = { author: 'https://author-p1-e2.example.com:8443', path: '/content/wknd & co/ch/de' };
    expect(parseRoute(printPageProperties(page), '', true)).toEqual({ view: 'page-properties', ...page });
  });

  test.each([
    ['location', { connections: { a: 'aem:https://author.example' }, location: 'https://author.example/content/wknd/en.html' }],
    [
      'editables',
      { connections: { a: 'aem:https://author.example' }, editables: [{ resource: 'urn:a:/content/wknd/en/jcr:content/root' }] },
    ],
  ])('finds the page open in the editor by its %s', (_by, state) => {
    expect(editedPage(state)).toEqual({ author: 'https://author.example', path: '/content/wknd/en' });
  });

  test('names no page if the editor provides nothing useful', () => {
    expect(editedPage(undefined)).toBeUndefined();
    expect(editedPage({ location: 'https://author.example/aem/start.html' })).toBeUndefined();
  });
});

describe('the address of the service', () => {
  const none = async (): Promise<unknown> => undefined;

  test.each([
    ['flat', { service: 'https://admin.example.com/' }],
    ['by identifier', { repoless: { service: 'https://admin.example.com' } }],
  ])('is read from the host’s configuration, %s', async (_form, configuration) => {
    expect(await serviceAddress(configuration, none)).toEqual({ service: 'https://admin.example.com' });
  });

  test('is read from the settings beside the app if the host has none', async () => {
    expect(await serviceAddress({}, async () => ({ service: 'https://other.example.com' }))).toEqual({
      service: 'https://other.example.com',
    });
  });

  test('is refused if it is not a web address', async () => {
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
  ])('shows the reason and what to do: %o', async (failure, sentence) => {
    render(<Panel source={createHostSource({ state: 'failed', failure, ...world })} framed />);
    await screen.findByText(sentence);
    expect(await violations()).toEqual([]);
  });

  test('shows that it is connecting', async () => {
    render(<Panel source={createHostSource({ state: 'loading', ...world })} framed />);
    await screen.findByText('Connecting to the authoring system…');
    expect(await violations()).toEqual([]);
  });
});
