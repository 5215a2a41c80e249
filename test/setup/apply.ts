import { type Edits, editsOf, NO_EDITS, proposeChoices, withEdits } from '@repoless/core/plan/choices.ts';
import { planSetup } from '@repoless/core/plan/plan-setup.ts';
import type { Plan, RunResult, StepId, StepProgress, StepState } from '@repoless/core/plan/plan.ts';
import { readWithRemovalFacts, runPlan } from '@repoless/core/run/run-plan.ts';
import { readSituation } from '@repoless/core/plan/read-situation.ts';
import type { Choices, Situation } from '@repoless/core/situation/situation.ts';
import { planUndo } from '@repoless/core/undo/plan-undo.ts';
import { isWrite, type Person, type Sent } from './setup-world.ts';

export interface Opened {
  readonly situation: Situation;
  /** The corrections. */
  readonly edits: Edits;
  readonly choices: Choices;
  readonly plan: Plan;
}

/** Opens the panel for a page, as a person who corrects some proposals. */
export async function open(person: Person, page: string, corrected?: Partial<Choices>): Promise<Opened> {
  const first = await situationOf(person, page);
  const proposed = proposeChoices(first);
  if (corrected === undefined) return { situation: first, edits: NO_EDITS, choices: proposed, plan: planSetup(first, proposed) };
  const edits = editsOf(proposed, { ...proposed, ...corrected });
  const situation = await situationOf(person, page, edits);
  const choices = withEdits(proposeChoices(situation), edits);
  return { situation, edits, choices, plan: planSetup(situation, choices) };
}

export async function situationOf(person: Person, page: string, edits?: Edits): Promise<Situation> {
  const read = await readSituation(person.ports, page, edits);
  if (read.state !== 'known') throw new Error(`The situation of ${page} was not read: ${JSON.stringify(read)}`);
  return read.value;
}

export interface Applied {
  readonly result: RunResult;
  readonly progress: readonly StepProgress[];
}

/** Presses the button. `onProgress` may stop the run. */
export async function apply(
  person: Person,
  page: string,
  {
    plan,
    edits,
    choices: { organization, siteName },
    situation,
  }: Pick<Opened, 'plan' | 'edits' | 'choices'> & Partial<Pick<Opened, 'situation'>>,
  onProgress?: (progress: StepProgress, stop: () => void) => void,
): Promise<Applied> {
  const stopper = new AbortController();
  const progress: StepProgress[] = [];
  const result = await runPlan(
    person.ports,
    page,
    plan,
    { ...edits, organization, siteName },
    {
      signal: stopper.signal,
      info: situation?.info,
      onProgress: (step) => {
        progress.push(step);
        onProgress?.(step, () => stopper.abort());
      },
    },
  );
  return { result, progress };
}

export async function enable(person: Person, page: string, corrected?: Partial<Choices>): Promise<Applied> {
  return apply(person, page, await open(person, page, corrected));
}

export async function undo(person: Person, page: string): Promise<Applied> {
  const opened = await open(person, page);
  return apply(person, page, { ...opened, plan: planUndo(await readWithRemovalFacts(person.ports, opened.situation)) });
}

export function stateOf(plan: Plan, id: StepId): StepState | undefined {
  return plan.steps.find((step) => step.id === id)?.state;
}

/** The writes in order, without dry runs and sign-ins: `PUT /config/…`, `POST /conf/…`. */
export function writes(sent: readonly Sent[]): string[] {
  return sent.filter(isWrite).map(({ method, address }) => `${method} ${pathOf(address)}`);
}

/** A network on which no request arrives from the nth write on. */
export function failingFrom(nth: number) {
  let count = 0;
  return {
    before: (sent: Sent) => {
      if (isWrite(sent)) count++;
      if (count >= nth) throw new TypeError('fetch failed');
    },
  };
}

function pathOf(address: string): string {
  const { pathname } = new URL(address);
  return decodeURIComponent(pathname.replace(/^\/authoring\/[^/]+/, ''));
}
