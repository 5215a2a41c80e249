import { jsonPointer } from '@repoless/contract/errors.ts';
import { ProfileInput } from '@repoless/contract/site.ts';
import { mergeValue, without } from '../history/json-values.ts';

export type ReadJson = { readonly state: 'read'; readonly value: unknown } | { readonly state: 'broken'; readonly line: number };

/** The value of a JSON text, or the line, from 1, of its first error. Engines report that differently or not at all. */
export function readJson(text: string): ReadJson {
  try {
    return { state: 'read', value: JSON.parse(text) as unknown };
  } catch {
    return { state: 'broken', line: text.slice(0, brokenAt(text)).split('\n').length };
  }
}

const SPACE = /[ \t\r\n]*/y;
const STRING = /"(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/uy;
const SCALAR = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![A-Za-z0-9_.])/y;

/** The position of the first character that is not valid JSON. */
function brokenAt(text: string): number {
  let at = 0;
  const open: ('{' | '[')[] = [];
  const take = (what: RegExp): boolean => {
    what.lastIndex = at;
    const found = what.exec(text);
    at += found?.[0].length ?? 0;
    return found !== null;
  };
  const takeSign = (sign: string): boolean => {
    take(SPACE);
    if (text[at] !== sign) return false;
    at += 1;
    return true;
  };
  const takeName = (): boolean => (take(SPACE), take(STRING)) && takeSign(':');
  /** Parses a value or the start of one: `none` if there is none. */
  const startValue = (): 'whole' | 'opened' | 'none' => {
    take(SPACE);
    const sign = text[at];
    if (sign === '{' || sign === '[') {
      at += 1;
      if (takeSign(sign === '{' ? '}' : ']')) return 'whole';
      open.push(sign);
      return sign === '[' || takeName() ? 'opened' : 'none';
    }
    return take(STRING) || take(SCALAR) ? 'whole' : 'none';
  };
  for (;;) {
    const started = startValue();
    if (started === 'none') return at;
    if (started === 'opened') continue;
    let parent = open.at(-1);
    while (parent !== undefined && takeSign(parent === '{' ? '}' : ']')) {
      open.pop();
      parent = open.at(-1);
    }
    take(SPACE);
    if (parent === undefined || !takeSign(',')) return at;
    if (parent === '{' && !takeName()) return at;
  }
}

/** Set by the service at each write. */
const SERVER_SET = ['version', 'name', 'created', 'lastModified'];
const MAX_LISTED = 5;

export type ReadProfile =
  | { readonly state: 'read'; readonly config: ProfileInput }
  | { readonly state: 'broken'; readonly line: number }
  /** The contract's objections: a pointer (RFC 6901) and a sentence each. */
  | { readonly state: 'refused'; readonly problems: readonly { readonly pointer: string; readonly sentence: string }[] };

/** A stored profile as text to edit: without what the service sets. */
export function profileText(stored: unknown): string {
  return JSON.stringify(without(stored, ...SERVER_SET), undefined, 2);
}

/**
 * My text applied to what someone else stored, as for the configuration of a site. Takes the text that was read, mine, and the stored one.
 * Undefined while mine is not valid JSON.
 */
export function mergedText(base: string, mine: string, theirs: string): string | undefined {
  const [old, own, other] = [readJson(base), readJson(mine), readJson(theirs)];
  if (old.state === 'broken' || own.state === 'broken' || other.state === 'broken') return undefined;
  return JSON.stringify(mergeValue(old.value, own.value, other.value), undefined, 2);
}

/** The profile in a text, or what is wrong with it. */
export function readProfile(text: string): ReadProfile {
  const json = readJson(text);
  if (json.state === 'broken') return json;
  const parsed = ProfileInput.safeParse(json.value);
  if (parsed.success) return { state: 'read', config: parsed.data };
  const problems = parsed.error.issues.slice(0, MAX_LISTED).map(({ path, message }) => ({ pointer: jsonPointer(path), sentence: message }));
  return { state: 'refused', problems };
}
