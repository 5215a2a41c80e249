/**
 * JSON to be read and copied, with two spaces of indentation. Characters that turn the direction of what follows them are
 * escaped: the text means the same and nothing in it stands elsewhere than it seems.
 */
export function printJson(value: unknown): string {
  return JSON.stringify(value, undefined, 2).replaceAll(
    /[\u202A-\u202E\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16)}`,
  );
}
