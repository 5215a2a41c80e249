import { screen } from '@testing-library/react';
import { section } from './configuration-world.tsx';
import type { Person } from './in-surface.tsx';

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
