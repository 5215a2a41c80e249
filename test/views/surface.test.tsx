import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Suspense } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, test, vi } from 'vitest';
import { Surface } from '@repoless/extension/app/Surface.tsx';
import { lazyComponent, lazyView } from '@repoless/extension/ui/lazy-component.tsx';
import { useMessages } from '@repoless/extension/ui/use-messages.ts';
import { violations } from './render-page.tsx';

test('another language keeps what is drawn, what was typed and the focus', async () => {
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
])('a page for %s is laid out as %s, as its sentences are', async (locale, lang, dir) => {
  const { container } = render(<Page locale={locale} />);
  await screen.findByRole('textbox');
  const surface = container.querySelector('[lang]');
  expect([surface?.getAttribute('lang'), surface?.getAttribute('dir')]).toEqual([lang, dir]);
});

test('messages that are not there yet leave an empty, busy page', async () => {
  render(<Page locale="de" />);
  expect(screen.getByRole('main').getAttribute('aria-busy')).toBe('true');
  expect(screen.queryByRole('textbox')).toBeNull();
  await screen.findByRole('textbox', { name: 'Wird geladen\u00a0…' });
  expect(screen.getByRole('main').getAttribute('aria-busy')).toBeNull();
});

test('a part that cannot be loaded says so beside what was typed, and is loaded on request', async () => {
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

test('a view is drawn as soon as its code and its messages are there: it does not wait for the timer with which React shows what a Suspense hid', async () => {
  const View = lazyView(
    async () => {
      await macrotask();
      return Sites;
    },
    { parts: ['sites'] },
  );
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false);
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  const place = document.body.appendChild(document.createElement('div'));
  const root = createRoot(place);
  try {
    root.render(
      <Surface locale="en-US" theme="light" standAlone={false}>
        <View />
      </Surface>,
    );
    for (let turns = 0; turns < 20_000 && !place.textContent.includes('Reading the sites'); turns++) await macrotask();
    expect(place.textContent).toBe('Reading the sites…');
  } finally {
    root.unmount();
    place.remove();
    vi.useRealTimers();
    vi.unstubAllGlobals();
  }
});

test('a panel that cannot be rendered says so and can be reloaded; the text of the error is not shown', async () => {
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
