/** What is wrong with a path as it came, a sentence in printable ASCII; undefined where it can be looked for. */
export function pathProblem(encoded: string): string | undefined {
  const path = decoded(encoded);
  if (path === undefined) return 'The path has a "%" that is not part of an encoded character. Write "%25" for it.';
  if (!path.startsWith('/')) return 'The path does not begin with "/".';
  if (path.includes('//')) return `The path has two slashes in a row. Write "${shown(encoded.replaceAll(/(?:\/|%2f){2,}/gi, '/'))}".`;
  if (/(^|\/)\.\.?(\/|$)/.test(path)) return 'The path has a segment "." or "..". Remove it.';
  if (path.includes('\\')) return 'The path has a backslash. Write "/".';
  if (path.includes('\0')) return 'The path has the character "%00", which no name has. Remove it.';
  return undefined;
}

function decoded(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

/** Encoded, hence of printable characters; cut where it is very long. */
function shown(path: string): string {
  const text = path.replaceAll(/[^\x21-\x7e]/g, '?');
  return text.length > 200 ? `${text.slice(0, 200)}...` : text;
}
