/**
 * JSON to read and copy, indented by two spaces. Characters that change the direction of the text after them are escaped:
 * the meaning is the same, and nothing is displayed out of place.
 */
export function printJson(value: unknown): string {
  return JSON.stringify(value, undefined, 2).replaceAll(
    /[\u202A-\u202E\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16)}`,
  );
}
