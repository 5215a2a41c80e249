import { createPatch } from 'rfc6902';
import type { PlannedRow } from '#extension/setup/sites/plan-rows.ts';
import type { Batch, CellSays, RowStep } from '#extension/setup/sites/rows.ts';
import { commandLine as messages } from '#extension/messages/en/command-line.ts';
import { detailLines, partNames } from './commands/change-lines.ts';
import { contentChangeOf, contentQuestion } from './content-change.ts';
import type { ContentChange } from './content-change.ts';
import type { Removed } from './removal-lines.ts';
import { cellLine } from './row-messages.ts';
import { stepChanges } from './step-changes.ts';
import type { StepChange } from './step-changes.ts';

export type PlanSummary = Readonly<Record<'create' | 'change' | 'remove' | 'unchanged' | 'blocked', number>>;

export function summaryOf(changes: readonly Change[]): PlanSummary {
  const count = (action: Change['action']) => changes.filter((change) => change.action === action).length;
  return { create: count('create'), change: count('change'), remove: count('remove'), unchanged: count('none'), blocked: count('blocked') };
}

export interface Change {
  readonly site: string;
  readonly action: 'create' | 'change' | 'remove' | 'none' | 'blocked';
  /** False: the service cannot try a write beforehand. */
  readonly tried: boolean;
  readonly steps: readonly { readonly step: RowStep; readonly diff?: unknown; readonly changes: readonly StepChange[] }[];
  readonly problems: readonly { readonly field: string; readonly sentence: string }[];
  /** Of a site whose content is replaced by other content, or would be if that were confirmed. */
  readonly content?: ContentChange;
  /** What goes with a site that is removed. */
  readonly removes?: Removed;
}

/** What would become of a site, from its planned row. */
export function changeOf(batch: Batch, { row, plan: made, problems, untried }: PlannedRow): Change {
  const site = row.siteName;
  const about = { site, tried: untried === undefined };
  const present = made.kind === 'ready' ? made.replaced : problems.flatMap(({ says }) => (says.kind === 'name-taken' ? says.root : []))[0];
  const content = present === undefined ? undefined : contentChangeOf(batch, row, present);
  const replaces = content === undefined ? {} : { content };
  if (made.kind === 'blocked' || problems.length > 0) {
    const sentence = (says: CellSays) =>
      says.kind === 'name-taken' && content !== undefined ? contentQuestion(site, content) : cellLine(says);
    const said = problems.map(({ cell, says }) => ({ field: cell, sentence: sentence(says) }));
    return { ...about, ...replaces, action: 'blocked', steps: [], problems: said };
  }
  const open = made.outcome === 'unchanged' ? [] : made.steps;
  const steps = open.flatMap((planned) => {
    const { step, state } = planned;
    if (state.kind === 'done' || step === 'code' || step === 'pages') return [];
    const changes = stepChanges(planned);
    return [state.kind === 'change' ? { step, changes, diff: createPatch(state.before, state.after) } : { step, changes }];
  });
  const action = made.outcome === 'created' ? 'create' : made.outcome === 'changed' ? 'change' : 'none';
  return { ...about, ...replaces, action, steps, problems: [] };
}

/** The same for a person. */
export function linesOf(change: Change): string[] {
  const { site, action } = change;
  if (action === 'blocked') return detailLines(change).map((sentence) => `${messages.plan.actions.blocked} ${site}: ${sentence}`);
  return [`${messages.plan.actions[action]} ${site}: ${partNames(change).join(', ')}`, ...detailLines(change).map((line) => `  ${line}`)];
}
