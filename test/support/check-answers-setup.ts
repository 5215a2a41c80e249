import { addressesOf, readSettings } from '@repoless/service/config.ts';
import { serviceHosts } from '@repoless/service/composition/front.ts';
import { completeDocuments } from '@repoless/service/http/openapi.ts';
import { createReadStream } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { transformWithOxc } from 'vite';
import { createJudge, type Judge } from './check-answers-judge.ts';
import { OpenApiDocument } from './check-answers-operations.ts';
import type { Exchange, RecordedProgram } from './check-answers-record.ts';
import { type Program, readSeen, type Seen, SEEN, seenOf, ANSWERS } from './check-answers.ts';

/** Set if the complete suite runs, so that every operation must have been answered. */
const WHOLE_SUITE = 'REPOLESS_WHOLE_SUITE';
/** Names the file for deviations that `npm test` reads: they fail the run even if each test file passes alone. */
const DEVIATIONS = 'REPOLESS_DEVIATIONS';

/**
 * Runs once around the tests. Every answer of the service and of build management, in the processes of the tests and in programs that
 * tests start, is checked against the tables from which their OpenAPI documents are generated. Prints a summary at the end, and fails
 * the run if an answer deviated.
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
      throw new Error(`Answers deviate from the OpenAPI documents:\n${wrong.join('\n')}`);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  };
}

/** Compiles the recorder into plain JavaScript for `node --import`. Returns its address. */
async function preload(folder: string): Promise<string> {
  const source = new URL('check-answers-record.ts', import.meta.url).pathname;
  const { code } = await transformWithOxc(await readFile(source, 'utf8'), source, { sourcemap: false });
  await writeFile(join(folder, 'record.mjs'), code);
  const begin = `import { recordProgram } from './record.mjs';\nrecordProgram(${JSON.stringify(folder)});\n`;
  await writeFile(join(folder, 'preload.mjs'), begin);
  return pathToFileURL(join(folder, 'preload.mjs')).href;
}

/** A summary of a run in one sentence; empty if there was no answer. */
function summary(gathered: Gathered): string {
  const { answers, operations } = gathered;
  if (answers.length === 0) return '';
  const succeeded = operations.length - neverAnswered(gathered).length;
  return `\n${answers.length} answers were checked against the OpenAPI documents; ${succeeded} of ${operations.length} operations succeeded.\n`;
}

/** What fails a run: answers that deviate and, if the complete suite ran, operations that never succeeded. */
function complaints(gathered: Gathered, isWhole: boolean): string[] {
  const wrong = new Map<string, number>();
  for (const one of gathered.answers) if (one.wrong !== undefined) wrong.set(one.wrong, (wrong.get(one.wrong) ?? 0) + 1);
  const deviations = [...wrong].map(([sentence, times]) => (times === 1 ? sentence : `${sentence} (${times} times)`));
  const missing = isWhole ? neverAnswered(gathered) : [];
  return [...deviations, ...missing.map((operation) => `${operation} never succeeded in the whole suite`)];
}

function neverAnswered({ answers, operations }: Gathered): string[] {
  const answered = new Set(answers.filter(isSuccess).map(({ program, operation }) => `${program} ${operation}`));
  return operations.map(({ program, id }) => `${program} ${id}`).filter((name) => !answered.has(name));
}

function isSuccess({ status }: Seen): boolean {
  return status >= 200 && status < 400;
}

interface Gathered {
  readonly answers: readonly Seen[];
  /** Every operation that the documents describe. */
  readonly operations: readonly { readonly program: Program; readonly id: string }[];
}

/** All answers of a run: those that tests checked themselves, and those only recorded by programs that tests started. */
async function gatherAnswers(folder: string, documents: Readonly<Record<Program, unknown>>): Promise<Gathered> {
  const judges: Record<Program, Judge> = {
    service: createJudge(documents.service),
    'build-management': createJudge(documents['build-management']),
  };
  const answers: Seen[] = [];
  for (const name of await readdir(folder)) {
    // Line by line: the record of a busy program exceeds the maximum length of a string.
    const lines = createInterface({ input: createReadStream(join(folder, name)), crlfDelay: Infinity });
    if (name.endsWith(SEEN)) for await (const line of lines) answers.push(readSeen(line));
    if (name.endsWith('.jsonl')) for await (const seen of judgeRecord(lines, judges)) answers.push(seen);
  }
  return { answers, operations: programs.flatMap((program) => operationsOf(documents[program]).map((id) => ({ program, id }))) };
}

const programs = ['service', 'build-management'] as const;

/** The last line of a program that was killed may be cut off. */
async function* judgeRecord(lines: AsyncIterable<string>, judges: Readonly<Record<Program, Judge>>): AsyncIterable<Seen> {
  let recorded: RecordedProgram | undefined;
  for await (const line of lines) {
    if (!line.endsWith('}')) continue;
    if (recorded === undefined) {
      recorded = JSON.parse(line) as RecordedProgram;
      continue;
    }
    const program = recorded.program === 'backend/main' ? 'service' : 'build-management';
    const exchange = JSON.parse(line) as Exchange;
    if (program === 'service' && !isOwn(exchange, recorded.settings)) continue;
    yield seenOf(program, exchange, judges[program](exchange));
  }
}

function isOwn({ host, port }: Exchange, settings: Readonly<Record<string, string>>): boolean {
  const { publicAddress, hosts } = addressesOf(readSettings(settings), port);
  return serviceHosts(publicAddress, hosts)(host);
}

/** Each call once, however many addresses it has. */
function operationsOf(document: unknown): string[] {
  const { paths } = OpenApiDocument.parse(JSON.parse(JSON.stringify(document)));
  const described = Object.values(paths).flatMap((methods) => Object.values(methods));
  return [...new Set(described.map(({ operationId, 'x-alias-of': id = operationId }) => id))];
}
