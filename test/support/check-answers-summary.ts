import type { Gathered } from './check-answers-gather.ts';
import type { Seen } from './check-answers-seen.ts';

/** What a run has seen, in a sentence; nothing where it has seen no answer. */
export function summary(gathered: Gathered): string {
  const { answers, operations } = gathered;
  if (answers.length === 0) return '';
  const succeeded = operations.length - neverAnswered(gathered).length;
  return `\n${answers.length} answers were checked against the OpenAPI documents; ${succeeded} of ${operations.length} operations succeeded.\n`;
}

/** What fails a run: answers that deviate, and, where no test was left out, operations that never succeeded. */
export function complaints(gathered: Gathered, isWhole: boolean): string[] {
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
