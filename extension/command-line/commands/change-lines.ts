import { commandLine as messages } from '#extension/messages/en/command-line.ts';
import { contentLines } from '../content-change.ts';
import { removedLines } from '../removal-lines.ts';
import { stepMessages } from '../row-messages.ts';
import type { Change } from '../planned-change.ts';

/** What changes, in lines: each part that is written, and below it what changes in it. */
export function detailLines({ action, steps, problems, content, removes }: Change): string[] {
  if (action === 'blocked') return problems.map(({ sentence }) => sentence);
  if (removes !== undefined) return removedLines(removes);
  const parts = writtenSteps(steps).flatMap(({ step, changes }) => [stepMessages(step), ...changes.map(({ text }) => `  ${text}`)]);
  return content === undefined ? parts : [...contentLines(content), ...parts];
}

/** The parts that are written, as a sentence names them. */
export function partNames({ steps, removes }: Change): string[] {
  return removes === undefined ? writtenSteps(steps).map(({ step }) => stepMessages(step)) : [messages.plan.removes];
}

function writtenSteps(steps: Change['steps']): Change['steps'] {
  return steps.filter(({ step }) => step !== 'verify');
}
