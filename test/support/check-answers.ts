import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createJudge, type Judge, type Judgement } from './check-answers-judge.ts';
import { recordAnswers, type Exchange } from './check-answers-record.ts';
import { z } from 'zod';

/** The environment variable with the folder in which a run collects answers; the suite's setup creates it. */
export const ANSWERS = 'REPOLESS_ANSWERS';

export interface CheckedAnswers {
  /** Throws if an answer since the start deviated from the OpenAPI document. */
  stop(): void;
}

/** Starts checking every answer of a program in this process. `isOurs`: whether the document describes a host. */
export function checkAnswers(program: Program, port: number, isOurs: (host: string) => boolean): CheckedAnswers {
  const folder = process.env[ANSWERS];
  if (folder === undefined) throw new Error('Run tests with test/vitest.config.ts: its setup prepares how answers are checked.');
  const file = join(folder, `${randomUUID()}${SEEN}`);
  const wrong: string[] = [];
  const lines: string[] = [];
  const isReceived = (receivedAt: number, host: string) => receivedAt === port && isOurs(host);
  const end = recordAnswers(isReceived, (exchange) => {
    const judgement = judgeOf(join(folder, `${program}.json`))(exchange);
    if (judgement.deviations.length > 0) wrong.push(sentenceOf(exchange, judgement));
    lines.push(answerLine(program, exchange, judgement));
  });
  return {
    stop() {
      end();
      if (lines.length > 0) writeFileSync(file, lines.splice(0).join(''));
      if (wrong.length > 0) throw new Error(`Answers deviate from the OpenAPI document:\n${[...new Set(wrong)].join('\n')}`);
    },
  };
}

/** Schemas are compiled on first use, so judges live as long as the process. */
const judges = new Map<string, Judge>();

function judgeOf(document: string): Judge {
  const judge = judges.get(document) ?? createJudge(JSON.parse(readFileSync(document, 'utf8')));
  judges.set(document, judge);
  return judge;
}

export type Program = 'service' | 'build-management';

/** The extension of files with one line for each checked answer. */
export const SEEN = '.seen';

const Seen = z.object({
  program: z.enum(['service', 'build-management']),
  operation: z.string().optional(),
  status: z.number(),
  wrong: z.string().optional(),
});
/** What is recorded of a checked answer. */
export type Seen = z.infer<typeof Seen>;

export function seenOf(program: Program, exchange: Exchange, judgement: Judgement): Seen {
  const { operation, deviations } = judgement;
  return {
    program,
    status: exchange.status,
    ...(operation !== undefined && { operation }),
    ...(deviations.length > 0 && { wrong: sentenceOf(exchange, judgement) }),
  };
}

export function answerLine(program: Program, exchange: Exchange, judgement: Judgement): string {
  return `${JSON.stringify(seenOf(program, exchange, judgement))}\n`;
}

export function readSeen(line: string): Seen {
  return Seen.parse(JSON.parse(line));
}

/** One sentence for an answer that deviates: the call, its operation, and every deviation. */
export function sentenceOf({ method, url, status }: Exchange, { operation, deviations }: Judgement): string {
  return `${method} ${url.split('?', 1)[0]} (${operation ?? 'no call'}) was answered ${status}: ${deviations.join('; ')}`;
}
