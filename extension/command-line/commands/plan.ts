import { createPatch } from 'rfc6902';
import { planRows } from '#extension/setup/sites/plan-rows.ts';
import type { PlannedRow } from '#extension/setup/sites/plan-rows.ts';
import type { Batch, CellSays, RowStep } from '#extension/setup/sites/rows.ts';
import { commandLine as messages } from '#extension/messages/en/command-line.ts';
import type { Options } from '../arguments.ts';
import { contentChangeOf, contentQuestion } from '../content-change.ts';
import type { ContentChange } from '../content-change.ts';
import { failureLine } from '../explain.ts';
import { prepare } from '../prepare.ts';
import { planPrune, readFormerSites } from '../prune.ts';
import { removalChange } from '../removal-lines.ts';
import type { Removed } from '../removal-lines.ts';
import { cellLine } from '../row-messages.ts';
import { stepChanges } from '../step-changes.ts';
import type { StepChange } from '../step-changes.ts';
import type { CommandResult, CliContext } from '../cli-context.ts';
import { detailLines, partNames } from './change-lines.ts';
import { planMarkdown } from './plan-markdown.ts';

/** Says what apply would do, field by field. 0: nothing; 3: changes are pending; 1: something stands in the way. */
export async function plan(context: CliContext, options: Options): Promise<CommandResult> {
  const prepared = await prepare(context, options);
  const { connection, batches, sites, file, info } = prepared;
  const formers = await readFormerSites(context, options, prepared);
  const { signal } = context;
  const { reach } = connection;
  const planned: { readonly batch: Batch; readonly row: PlannedRow }[] = [];
  for (const { batch, rows, ports } of batches) {
    const { concurrency } = options;
    const given = { ...(concurrency === undefined ? {} : { concurrency }), ...(sites === undefined ? {} : { sites }) };
    planned.push(...(await planRows(ports, batch, rows, { signal, reach, ...given })).map((row) => ({ batch, row })));
  }
  const removals = formers === undefined ? [] : await planPrune(context, prepared, formers);
  const changes = [
    ...planned.map(({ batch, row }) => changeOf(batch, row)),
    ...removals.flatMap((removal) => removalChange(info, file.organization, removal)),
  ];
  const count = (action: Change['action']) => changes.filter((change) => change.action === action).length;
  const removed = count('remove');
  const summary = {
    create: count('create'),
    change: count('change'),
    remove: removed,
    unchanged: count('none'),
    blocked: count('blocked'),
  };
  const open = changes.filter(({ action }) => action !== 'none');
  const untried = [...planned.map(({ row }) => row), ...removals].flatMap((one) => ('untried' in one ? (one.untried ?? []) : []))[0];
  const lines = open.length === 0 ? [messages.plan.nothing(changes.length)] : [...open.flatMap(linesOf), messages.plan.summary(summary)];
  const told = [
    ...(untried === undefined ? [] : [messages.plan.untried(failureLine(untried))]),
    ...(reach === 'service' && open.length > removed ? [messages.apply.serviceOnly] : []),
    ...(reach === 'service' && removed > 0 ? [messages.prune.serviceOnly(removed)] : []),
  ];
  return {
    code: summary.blocked > 0 ? 1 : open.length > 0 ? 3 : 0,
    json: { reach, summary, changes },
    lines: [...lines, ...told],
    markdown: () => planMarkdown(file.organization, summary, changes, told),
  };
}

export type PlanSummary = Readonly<Record<'create' | 'change' | 'remove' | 'unchanged' | 'blocked', number>>;

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

function changeOf(batch: Batch, { row, plan: made, problems, untried }: PlannedRow): Change {
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

function linesOf(change: Change): string[] {
  const { site, action } = change;
  if (action === 'blocked') return detailLines(change).map((sentence) => `${messages.plan.actions.blocked} ${site}: ${sentence}`);
  return [`${messages.plan.actions[action]} ${site}: ${partNames(change).join(', ')}`, ...detailLines(change).map((line) => `  ${line}`)];
}
