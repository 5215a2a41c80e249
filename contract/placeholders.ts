/**
 * A sentence where a text still holds a placeholder of a manual, such as `<EMAIL>`; undefined otherwise. `instead` says what
 * to write: `the e-mail address`.
 */
export function placeholderProblem(text: unknown, instead: string): string | undefined {
  const found = typeof text === 'string' ? /<[^<>]*>/.exec(text)?.[0] : undefined;
  return found === undefined ? undefined : `"${found}" is a placeholder. Write ${instead} in its place.`;
}
