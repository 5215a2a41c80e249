import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { Surface } from '#extension/views/Surface.tsx';
import { useMessages } from '#extension/views/messages/use-messages.ts';

test('another language keeps what is drawn, what was typed and the focus', async () => {
  const { rerender } = render(<Page locale="en-US" />);
  const field = await screen.findByRole('textbox', { name: 'Loading…' });
  await userEvent.type(field, 'typed');
  rerender(<Page locale="de-CH" />);
  expect(screen.getByRole('textbox')).toBe(field);
  expect(await screen.findByRole('textbox', { name: 'Wird geladen …' })).toBe(field);
  expect(field).toHaveProperty('value', 'typed');
  expect(document.activeElement).toBe(field);
  rerender(<Page locale="fr-FR" />);
  expect(await screen.findByRole('textbox', { name: 'Loading…' })).toBe(field);
});

test.each([
  ['ar-EG', 'en-US', 'ltr'],
  ['fr-FR', 'en-US', 'ltr'],
  ['de-CH', 'de-CH', 'ltr'],
])('a page for %s is laid out as %s, as its sentences are', async (locale, lang, dir) => {
  const { container } = render(<Page locale={locale} />);
  await screen.findByRole('textbox');
  const surface = container.querySelector('[lang]');
  expect([surface?.getAttribute('lang'), surface?.getAttribute('dir')]).toEqual([lang, dir]);
});

test('words that are not there yet leave an empty, busy page', async () => {
  render(<Page locale="de" />);
  expect(screen.getByRole('main').getAttribute('aria-busy')).toBe('true');
  expect(screen.queryByRole('textbox')).toBeNull();
  await screen.findByRole('textbox', { name: 'Wird geladen …' });
  expect(screen.getByRole('main').getAttribute('aria-busy')).toBeNull();
});

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
