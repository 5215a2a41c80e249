import type { Context } from './context.ts';

/** What nobody can guess: a UUID has 122 random bits, one of these 244. Letters and digits alone. */
export function unguessable({ newId }: Pick<Context, 'newId'>): string {
  return `${newId()}${newId()}`.replaceAll('-', '');
}
