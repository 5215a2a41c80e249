import { writeFileSync } from 'node:fs';
import type { Reporter } from 'vitest/node';

/** Reports what Vitest's JSON report lacks. Takes the path of the file that it writes: the files during which an error was unhandled, and its message, as JSON. */
export const unhandledErrors = (path: string): Reporter => ({
  onTestRunEnd(_, errors) {
    const found = errors.flatMap(({ VITEST_TEST_PATH: name, message }) => (name === undefined ? [] : [{ name, message }]));
    writeFileSync(path, JSON.stringify(found));
  },
});
