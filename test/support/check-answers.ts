import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createJudge, type Judge } from './check-answers-judge.ts';
import { recordAnswers } from './check-answers-record.ts';
import { answerLine, SEEN, sentenceOf, type Program } from './check-answers-seen.ts';

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
  const isAsked = (asked: number, host: string) => asked === port && isOurs(host);
  const end = recordAnswers(isAsked, (exchange) => {
    const judgement = judgeOf(join(folder, `${program}.json`))(exchange);
    if (judgement.deviations.length > 0) wrong.push(sentenceOf(exchange, judgement));
    lines.push(answerLine(program, exchange, judgement));
  });
  return {
    stop() {
      end();
      if (lines.length > 0) writeFileSync(file, lines.splice(0).join(''));
      if (wrong.length > 0) throw new Error(`Answers are not as the OpenAPI document says:\n${[...new Set(wrong)].join('\n')}`);
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
