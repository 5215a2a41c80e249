import { beforeAll, expect, it } from 'vitest';
import { buildBackend } from '../support/child-backend.ts';
import { diskFolder } from '../support/memory-folder.ts';
import { operate } from '../support/operate.ts';

const PROGRAMS: readonly (readonly [string, number, readonly string[]])[] = [
  ['main.js', 1, []],
  ['build-management/main.js', 1, []],
  ['administration/main.js', 2, ['jobs', 'list']],
];
const WRONG = 'These settings are wrong:\n  LOG_LEVEL: Write one of fatal, error, warn, info, debug, trace, silent.\n';

beforeAll(buildBackend);

it.each(PROGRAMS)('%s says which setting is wrong, and nothing else', async (program, status, args) => {
  const settings = { ...place(), LOG_LEVEL: 'loud', BUILD_MANAGEMENT_KEY: 'a-key-of-sixteen-or-more-characters' };
  expect(await operate(args, settings, `backend/dist/${program}`)).toEqual({ status, out: '', err: WRONG });
});

function place() {
  return { DATA_DIR: diskFolder(), PORT: '0' };
}
