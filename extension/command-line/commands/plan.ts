import { createPatch } from 'rfc6902';
import { planRows } from '#extension/setup/sites/plan-rows.ts';
import type { PlannedRow } from '#extension/setup/sites/plan-rows.ts';
import type { RowStep } from '#extension/setup/sites/rows.ts';
import { commandLine as words } from '#extension/words/en/command-line.ts';
import type { Options } from '../arguments.ts';
import { prepare } from '../prepare.ts';
import { cellLine, problemLine, stepWords } from '../row-words.ts';
import type { CommandResult, CommandSurroundings } from '../surroundings.ts';

/** Says what apply would do. 0: nothing; 3: changes are pending; 1: something stands in the way. */
export async function plan(surroundings: CommandSurroundings, options: Options): Promise<CommandResult> {
  const { connection, batches, sites } = await prepare(surroundings, options);
  const { signal } = surroundings;
  const { reach } = connection;
  const planned: PlannedRow[] = [];
  for (const { batch, rows, ports } of batches) {
    const { concurrency } = options;
    const given = { ...(concurrency === undefined ? {} : { concurrency }), ...(sites === undefined ? {} : { sites }) };
    planned.push(...(await planRows(ports, batch, rows, { signal, reach, ...given })));
  }
  const changes = planned.map(changeOf);
  const count = (action: Change['action']) => changes.filter((change) => change.action === action).length;
  const summary = { create: count('create'), change: count('change'), unchanged: count('none'), blocked: count('blocked') };
  const open = changes.filter(({ action }) => action !== 'none');
  const lines =
    open.length === 0
      ? [words.plan.nothing(changes.length)]
      : [...open.flatMap(linesOf), words.plan.summary(summary.create, summary.change, summary.unchanged, summary.blocked)];
  const told = reach === 'service' && open.length > 0 ? [words.apply.serviceOnly] : [];
  return { code: summary.blocked > 0 ? 1 : open.length > 0 ? 3 : 0, json: { reach, summary, changes }, lines: [...lines, ...told] };
}

interface Change {
  readonly site: string;
  readonly action: 'create' | 'change' | 'none' | 'blocked';
  readonly steps: readonly { readonly step: RowStep; readonly diff?: unknown }[];
  readonly problems: readonly { readonly field: string; readonly sentence: string }[];
}

function changeOf({ row, plan: made, refusals }: PlannedRow): Change {
  const site = row.siteName;
  if (made.kind === 'blocked') {
    return { site, action: 'blocked', steps: [], problems: [{ field: 'row', sentence: problemLine(made.problem) }] };
  }
  if (refusals.length > 0) {
    return {
      site,
      action: 'blocked',
      steps: [],
      problems: refusals.map(({ cell, says }) => ({ field: cell, sentence: cellLine(says) })),
    };
  }
  const steps = made.steps.flatMap(({ step, state }) => {
    if (state.kind === 'done') return [];
    return [state.kind === 'change' ? { step, diff: createPatch(state.before, state.after) } : { step }];
  });
  const action = made.outcome === 'created' ? 'create' : made.outcome === 'changed' ? 'change' : 'none';
  return { site, action, steps, problems: [] };
}

function linesOf({ site, action, steps, problems }: Change): string[] {
  if (action === 'blocked') return problems.map(({ sentence }) => `${words.plan.blocked} ${site}: ${sentence}`);
  const names = steps.flatMap(({ step }) => (step === 'verify' ? [] : [stepWords(step)]));
  return [`${action === 'create' ? words.plan.create : words.plan.change} ${site}: ${names.join(', ')}`];
}
