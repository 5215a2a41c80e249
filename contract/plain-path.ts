/**
 * Programs read a path in different ways: one decodes it twice, another cuts it at ";" or takes "\" for "/", a third turns
 * full-width characters into plain ones. A path that any of them could take for another place is never sent with a credential.
 */

/**
 * Whether some program could read a path as one that leaves its folder. Takes a path as it is sent, with escapes. An escape that is not valid text
 * counts as well: its meaning is undefined.
 */
export function leadsElsewhere(path: string): boolean {
  const text = decodedFully(path);
  if (text === undefined || UNREADABLE.test(text)) return true;
  return folded(text)
    .split('/')
    .some((segment) => /^\.+$/.test(segment.replace(/;.*$/s, '').trim()));
}

/**
 * The first character of a path that programs read in different ways; undefined where there is none. In: a path that was decoded
 * once, so that a "%" in it is an escape within an escape.
 */
export function ambiguousCharacter(path: string): string | undefined {
  for (const character of path) if (AMBIGUOUS.test(character) || UNREADABLE.test(character) || isLookalike(character)) return character;
  return undefined;
}

/** What is wrong with the path of an address that pages are read below, a sentence; undefined where it is plain. */
export function addressProblem(address: string): string | undefined {
  const path = pathOf(address);
  if (!leadsElsewhere(path) && !/[;\\]|%(?:2[35ef]|3[bf]|5c)/i.test(path) && ambiguousCharacter(decodedFully(path) ?? '') === undefined)
    return undefined;
  return 'Write the path of the address plainly: without "..", ";" and escapes such as "%2e", "%2f" or "%25".';
}

/** The path of an address as it is written: `URL` would resolve its dot segments first. */
export function pathOf(address: string): string {
  return /^[a-z][a-z0-9+.-]*:[/\\]*[^/\\?#]*([^?#]*)/i.exec(address)?.[1] ?? '';
}

/** Without its escapes, however often it was escaped; undefined where they do not end or are no text. */
function decodedFully(path: string): string | undefined {
  let text = path;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    if (/%u[0-9a-f]{4}/i.test(text)) return undefined;
    const next = decoded(text);
    if (next === text || next === undefined) return next;
    text = next;
  }
  return undefined;
}

function decoded(text: string): string | undefined {
  try {
    return text.replaceAll(/(?:%[0-9a-f]{2})+/gi, (run) => decodeURIComponent(run));
  } catch {
    return undefined;
  }
}

/** As the most careless reader has it. */
function folded(text: string): string {
  return text
    .normalize('NFKC')
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll(SLASHES, '/')
    .replaceAll(DOTS, '.');
}

function isLookalike(character: string): boolean {
  return character > '\u007f' && /[./\\%?#;]/.test(folded(character));
}

const MOST_ROUNDS = 6;
const AMBIGUOUS = /[%;\\?#]/;
const UNREADABLE = /[\p{Cc}\p{Cs}\u2028\u2029]/u;
const SLASHES = /[\\\u2044\u2215\u2216\u29f5\u29f8\u29f9]/g;
const DOTS = /[\u3002]/g;
