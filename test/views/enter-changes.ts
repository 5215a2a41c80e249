import { screen } from '@testing-library/react';
import type userEvent from '@testing-library/user-event';
import { section } from './configuration-world.tsx';

export type Person = ReturnType<typeof userEvent.setup>;

/** Presses a button as soon as it appears. */
export const press = async (person: Person, name: string | RegExp) => person.click(await screen.findByRole('button', { name }));

/** Replaces robots.txt in the displayed configuration. */
export async function type(person: Person, text: string): Promise<void> {
  const robots = await section('robots.txt');
  if (!robots.details.hasAttribute('open')) await person.click(robots.summary);
  const field = await robots.inside.findByRole('textbox', { name: 'Text of robots.txt' });
  await person.clear(field);
  await person.type(field, text);
}

/** Adds an administrator to the displayed access list. */
export async function addMember(person: Person, who: string): Promise<void> {
  await person.type(await screen.findByRole('textbox', { name: 'Add to Administrators' }), `${who}{Enter}`);
}
