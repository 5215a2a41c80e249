import { jsonPointer } from '@repoless/contract/errors.ts';
import { ProfileInput } from '@repoless/contract/site.ts';
import { without } from '../history/json-place.ts';
import { mergeValue } from '../configuration/merge.ts';
import { readJson } from './read-json.ts';

/** Set by the service at each write. */
const SERVER_SET = ['version', 'name', 'created', 'lastModified'];
/** The most that is told at once. */
const TOLD = 5;

export type ReadProfile =
  | { readonly state: 'read'; readonly config: ProfileInput }
  | { readonly state: 'broken'; readonly line: number }
  /** What the contract has against it: a place (RFC 6901) and a sentence each. */
  | { readonly state: 'refused'; readonly problems: readonly { readonly pointer: string; readonly sentence: string }[] };

/** A stored profile as a text to be changed: without what the service sets by itself. */
export function profileText(stored: unknown): string {
  return JSON.stringify(without(stored, ...SERVER_SET), undefined, 2);
}

/**
 * My text applied to what somebody else stored, as for the configuration of a site. Takes the text that was read, mine, and the stored one.
 * Undefined while mine is not valid JSON.
 */
export function mergedText(base: string, mine: string, theirs: string): string | undefined {
  const [old, own, other] = [readJson(base), readJson(mine), readJson(theirs)];
  if (old.state === 'broken' || own.state === 'broken' || other.state === 'broken') return undefined;
  return JSON.stringify(mergeValue(old.value, own.value, other.value), undefined, 2);
}

/** The profile that a text stands for, or what is wrong with it. */
export function readProfile(text: string): ReadProfile {
  const json = readJson(text);
  if (json.state === 'broken') return json;
  const parsed = ProfileInput.safeParse(json.value);
  if (parsed.success) return { state: 'read', config: parsed.data };
  const problems = parsed.error.issues.slice(0, TOLD).map(({ path, message }) => ({ pointer: jsonPointer(path), sentence: message }));
  return { state: 'refused', problems };
}
