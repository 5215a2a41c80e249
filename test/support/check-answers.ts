import { randomUUID } from 'node:crypto';
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createJudge } from './check-answers-judge.ts';
import type { Judge } from './check-answers-judge.ts';
import { recordAnswers } from './check-answers-record.ts';
import { answerLine, SEEN, sentenceOf } from './check-answers-seen.ts';
import type { Program } from './check-answers-seen.ts';

/** The environment variable with the folder where a run of the suite gathers what was answered; its setup makes it. */
export const ANSWERS = 'REPOLESS_ANSWERS';

export interface CheckedAnswers {
  /** Throws where an answer since the start was not as the OpenAPI document says. */
  stop(): void;
}

/** Checks every answer of a program that runs in this process, from now on. `isOurs`: whether the document speaks of a host. */
export function checkAnswers(program: Program, port: number, isOurs: (host: string) => boolean): CheckedAnswers {
  const folder = process.env[ANSWERS];
  if (folder === undefined) throw new Error('Run tests with test/vitest.config.ts: its setup prepares how answers are checked.');
  const file = join(folder, `${randomUUID()}${SEEN}`);
  const wrong: string[] = [];
  let judge: Judge | undefined;
  const isAsked = (asked: number, host: string) => asked === port && isOurs(host);
  const end = recordAnswers(isAsked, (exchange) => {
    judge ??= createJudge(JSON.parse(readFileSync(join(folder, `${program}.json`), 'utf8')));
    const judgement = judge(exchange);
    if (judgement.deviations.length > 0) wrong.push(sentenceOf(exchange, judgement));
    appendFileSync(file, answerLine(program, exchange, judgement));
  });
  return {
    stop() {
      end();
      if (wrong.length > 0) throw new Error(`Answers are not as the OpenAPI document says:\n${[...new Set(wrong)].join('\n')}`);
    },
  };
}
