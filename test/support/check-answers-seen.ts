import { z } from 'zod';
import type { Judgement } from './check-answers-judge.ts';
import type { Exchange } from './check-answers-record.ts';

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
