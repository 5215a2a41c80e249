import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { addressesOf, readSettings } from '@repoless/service/config.ts';
import { serviceHosts } from '@repoless/service/delivery/service-host.ts';
import { createJudge } from './check-answers-judge.ts';
import type { Judge } from './check-answers-judge.ts';
import { OpenApiDocument } from './check-answers-operations.ts';
import type { Exchange, RecordedProgram } from './check-answers-record.ts';
import { readSeen, SEEN, seenOf } from './check-answers-seen.ts';
import type { Program, Seen } from './check-answers-seen.ts';

export interface Gathered {
  readonly answers: readonly Seen[];
  /** Every operation that the documents describe. */
  readonly operations: readonly { readonly program: Program; readonly id: string }[];
}

/** Everything that was answered in a run: what tests judged themselves, and what programs that tests started only recorded. */
export async function gatherAnswers(folder: string, documents: Readonly<Record<Program, unknown>>): Promise<Gathered> {
  const judges: Record<Program, Judge> = {
    service: createJudge(documents.service),
    'build-management': createJudge(documents['build-management']),
  };
  const answers: Seen[] = [];
  for (const name of await readdir(folder)) {
    // Line by line: the record of a program that was asked for much is longer than any text may be.
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

/** Each call once, by whatever addresses it has. */
function operationsOf(document: unknown): string[] {
  const { paths } = OpenApiDocument.parse(JSON.parse(JSON.stringify(document)));
  const described = Object.values(paths).flatMap((methods) => Object.values(methods));
  return [...new Set(described.map(({ operationId, 'x-alias-of': id = operationId }) => id))];
}
