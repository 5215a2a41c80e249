import type { Context } from '../context.ts';
import { Refusal } from '../errors.ts';

/** When a secret ends, in the form of a `StoredSecret`. Refuses with BODY_INVALID what is over already. */
export function secretEnd({ now }: Context, expires: string | undefined, pointer = '/expires'): { readonly expires?: Date } {
  if (expires === undefined) return {};
  const end = new Date(expires);
  if (end.getTime() > now().getTime()) return { expires: end };
  const sentence = 'This end is over. Write one that is to come, or leave it out.';
  throw new Refusal('BODY_INVALID', sentence, { errors: [{ pointer, detail: sentence }] });
}
