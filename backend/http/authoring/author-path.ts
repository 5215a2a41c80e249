import { ambiguousCharacter, leadsElsewhere } from '@repoless/contract/addresses.ts';
import { Refusal } from '../../domain/errors.ts';

/**
 * Checks a path against the list of what is proxied. In: the path without its leading slash, decoded once. Out: the path
 * as it is sent, encoded again from what was checked, so that the authoring system sees that and nothing else. Refuses
 * with AUTHOR_PATH_NOT_ALLOWED.
 */
export function authorPath(path: string, allowed: readonly RegExp[]): { decoded: string; sent: string } {
  const decoded = `/${path}`;
  const segments = path.split('/');
  if (!segments.every(isPlain) || !allowed.some((pattern) => pattern.test(decoded))) {
    throw new Refusal('AUTHOR_PATH_NOT_ALLOWED', 'This path of the authoring system is not allowed for this kind of request.');
  }
  return { decoded, sent: `/${segments.map(encodeURIComponent).join('/')}` };
}

/** No empty segment, none that climbs, and no character that servers read in different ways. */
function isPlain(segment: string): boolean {
  return segment !== '' && !leadsElsewhere(segment) && ambiguousCharacter(segment) === undefined;
}
