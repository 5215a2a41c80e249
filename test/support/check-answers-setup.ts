import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { transformWithOxc } from 'vite';
import { completeDocuments } from '@repoless/service/http/openapi.ts';
import { ANSWERS } from './check-answers.ts';
import { gatherAnswers } from './check-answers-gather.ts';
import { complaints, summary } from './check-answers-summary.ts';

/** The environment variable that says that no tests were chosen, so that every operation must have been answered. */
const WHOLE_SUITE = 'REPOLESS_WHOLE_SUITE';
/** Names a file that `npm test` wants the deviations in: they fail the run even where each file passes when run alone. */
const DEVIATIONS = 'REPOLESS_DEVIATIONS';

/**
 * Runs once around the tests: prepares that every answer of the service and of build management is checked against what is
 * known of their calls, of which their OpenAPI documents are made, in the processes of the tests and in programs that tests start; in the end says what was seen, and
 * fails the run where an answer deviated.
 */
export async function setup(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'repoless-answers-'));
  const documents = completeDocuments();
  for (const [program, document] of Object.entries(documents)) await writeFile(join(folder, `${program}.json`), JSON.stringify(document));
  process.env[ANSWERS] = folder;
  process.env['NODE_OPTIONS'] = [process.env['NODE_OPTIONS'], `--import=${await preload(folder)}`].filter(Boolean).join(' ');
  return async () => {
    try {
      const gathered = await gatherAnswers(folder, documents);
      process.stdout.write(summary(gathered));
      const wrong = complaints(gathered, process.env[WHOLE_SUITE] !== undefined);
      if (wrong.length === 0) return;
      const deviations = process.env[DEVIATIONS];
      if (deviations !== undefined) await writeFile(deviations, wrong.join('\n'));
      throw new Error(`Answers are not as the OpenAPI documents say:\n${wrong.join('\n')}`);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  };
}

/** A module for `node --import`, plain JavaScript made of the recorder. Out: its address. */
async function preload(folder: string): Promise<string> {
  const source = new URL('check-answers-record.ts', import.meta.url).pathname;
  const { code } = await transformWithOxc(await readFile(source, 'utf8'), source, { sourcemap: false });
  await writeFile(join(folder, 'record.mjs'), code);
  const begin = `import { recordProgram } from './record.mjs';\nrecordProgram(${JSON.stringify(folder)});\n`;
  await writeFile(join(folder, 'preload.mjs'), begin);
  return pathToFileURL(join(folder, 'preload.mjs')).href;
}
