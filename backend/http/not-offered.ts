import { notOfferedAt, notOfferedSentence } from '#contract/not-offered.ts';
import { Refusal } from '#backend/domain/errors.ts';

/** The refusal of a call that the public service has and this one does not, the same for everybody; undefined for all others. */
export function notOffered({ method, originalUrl }: { readonly method: string; readonly originalUrl: string }): Refusal | undefined {
  const found = notOfferedAt(method, originalUrl.split('?', 1)[0] ?? '');
  return found === undefined ? undefined : new Refusal('NOT_OFFERED', notOfferedSentence(found));
}
