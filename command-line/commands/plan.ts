import { commandLine as messages } from '@repoless/core/messages/en/command-line.ts';
import { type PlannedRow, planRows } from '@repoless/core/sites/apply-rows.ts';
import type { Batch } from '@repoless/core/sites/rows.ts';
import type { CliContext, CommandResult, Options } from '../cli-context.ts';
import { failureLine } from '../explain.ts';
import { linesOf, planMarkdown } from '../plan-lines.ts';
import { changeOf, summaryOf } from '../planned-change.ts';
import { prepare } from '../prepare.ts';
import { planPrune, readFormerSites, removalChange } from '../prune.ts';

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
  const summary = summaryOf(changes);
  const removed = summary.remove;
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
