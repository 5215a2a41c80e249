import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { addressesOf, readSettings } from '#backend/config.ts';
import { serviceHosts } from '#backend/delivery/service-host.ts';
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
    const lines = (await readFile(join(folder, name), 'utf8')).split('\n').filter((line) => line !== '');
    if (name.endsWith(SEEN)) answers.push(...lines.map(readSeen));
    if (name.endsWith('.jsonl')) answers.push(...judgeRecord(lines, judges));
  }
  return { answers, operations: programs.flatMap((program) => operationsOf(documents[program]).map((id) => ({ program, id }))) };
}

const programs = ['service', 'build-management'] as const;

/** The last line of a program that was killed may be cut off. */
function judgeRecord([first = '{}', ...lines]: readonly string[], judges: Readonly<Record<Program, Judge>>): Seen[] {
  const { program: file, settings } = JSON.parse(first) as RecordedProgram;
  const program = file === 'backend/main' ? 'service' : 'build-management';
  const exchanges = lines.filter((line) => line.endsWith('}')).map((line) => JSON.parse(line) as Exchange);
  return exchanges.flatMap((exchange) => {
    if (program === 'service' && !isOwn(exchange, settings)) return [];
    return [seenOf(program, exchange, judges[program](exchange))];
  });
}

function isOwn({ host, port }: Exchange, settings: Readonly<Record<string, string>>): boolean {
  const { publicAddress, hosts } = addressesOf(readSettings(settings), port);
  return serviceHosts(publicAddress, hosts)(host);
}

/** Each call once, by whatever addresses it has. */
function operationsOf(document: unknown): string[] {
  const { paths } = OpenApiDocument.parse(JSON.parse(JSON.stringify(document)));
  const described = Object.values(paths).flatMap((item) => ('methods' in item ? Object.values(item.methods) : []));
  return [...new Set(described.map(({ operationId, 'x-alias-of': id = operationId }) => id))];
}
