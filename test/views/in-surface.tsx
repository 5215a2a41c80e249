import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { expect } from 'vitest';
import { Surface } from '@repoless/extension/app/Surface.tsx';

interface Appearance {
  readonly locale?: string;
  readonly theme?: 'light' | 'dark';
  readonly standAlone?: boolean;
}

export type Person = ReturnType<typeof userEvent.setup>;

/** Renders a view as the extension does. Returns the user, and a function that removes the view. */
export function renderInSurface(view: ReactNode, { locale = 'en-US', theme = 'light', standAlone = false }: Appearance = {}) {
  const { unmount } = render(
    <Surface locale={locale} theme={theme} standAlone={standAlone}>
      {view}
    </Surface>,
  );
  return { person: userEvent.setup(), close: unmount };
}

/** Presses buttons one after the other, each as soon as it appears. */
export async function press(person: Person, ...names: readonly (string | RegExp)[]): Promise<void> {
  for (const name of names) await person.click(await screen.findByRole('button', { name }));
}

/** Presses a button once it is enabled. */
export async function pressEnabled(person: Person, name: string | RegExp): Promise<void> {
  const button = await screen.findByRole('button', { name });
  await waitFor(() => expect(button).toHaveProperty('disabled', false));
  await person.click(button);
}
