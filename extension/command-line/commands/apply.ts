import { applyRows } from '#extension/setup/sites/apply-rows.ts';
import type { RowResult, RowsProgress } from '#extension/setup/sites/rows.ts';
import { commandLine as words } from '#extension/words/en/command-line.ts';
import type { Options } from '../arguments.ts';
import { prepare } from '../prepare.ts';
import { problemLine, stepWords } from '../row-words.ts';
import type { CommandResult, CommandSurroundings } from '../surroundings.ts';
import { plan } from './plan.ts';

/** Brings service and authoring system to what the file says; a second time writes nothing. 0: done; 1: some sites failed. */
export async function apply(surroundings: CommandSurroundings, options: Options): Promise<CommandResult> {
  if (options.dryRun) return plan(surroundings, options);
  const { connection, batches, sites } = await prepare(surroundings, options);
  const { signal } = surroundings;
  const { concurrency } = options;
  const given = { ...(concurrency === undefined ? {} : { concurrency }), ...(sites === undefined ? {} : { sites }) };
  const results: RowResult[] = [];
  const total = batches.reduce((sum, { rows }) => sum + rows.length, 0);
  const tell = teller(surroundings, options, total);
  for (const { batch, rows, ports } of batches) {
    const before = results.length;
    const onProgress = (progress: RowsProgress) => tell(before, progress);
    results.push(...(await applyRows(ports, batch, rows, { signal, reach: connection.reach, ...given, onProgress })).results);
  }
  return resultOf(results, connection.reach === 'service' && results.some(({ row }) => row.cloudConfiguration !== undefined));
}

/** One line on standard error whenever another tenth is done. */
function teller({ err }: CommandSurroundings, { json }: Options, total: number) {
  let told = 0;
  return (before: number, { done, failed, secondsLeft, pausedSeconds }: RowsProgress): void => {
    const ended = before + done + failed;
    if (json || ended === told || ended % Math.max(1, Math.ceil(total / 10)) !== 0) return;
    told = ended;
    const left = secondsLeft === undefined || ended === total ? '' : `, ${words.apply.left(secondsLeft)}`;
    const paused = pausedSeconds === undefined ? '' : `, ${words.apply.paused(pausedSeconds)}`;
    err(`${words.apply.progress(ended - failed, total, failed)}${left}${paused}\n`);
  };
}

function resultOf(results: readonly RowResult[], authoringLeft: boolean): CommandResult {
  const sites = results.map(siteOf);
  const count = (state: string) => sites.filter((site) => site.state === state).length;
  const summary = {
    created: count('created'),
    changed: count('changed'),
    unchanged: count('unchanged'),
    failed: count('failed'),
    stopped: count('stopped'),
    writes: results.reduce((sum, { calls }) => sum + calls.length, 0),
  };
  const incomplete = summary.failed + summary.stopped > 0;
  const shown = sites.filter(({ state }) => state !== 'unchanged' && state !== 'stopped');
  const lines = [
    ...shown.map(({ site, state, problem }) => `${words.apply[state]} ${site}${problem === undefined ? '' : `: ${problem}`}`),
    summary.unchanged === sites.length
      ? words.plan.nothing(sites.length)
      : words.apply.summary(summary.created, summary.changed, summary.unchanged, summary.failed, summary.stopped),
    ...(authoringLeft ? [words.apply.serviceOnly] : []),
    ...(incomplete ? [words.apply.again] : []),
  ];
  return { code: incomplete ? 1 : 0, json: { summary, sites }, lines };
}

interface SiteResult {
  readonly site: string;
  readonly state: 'created' | 'changed' | 'unchanged' | 'failed' | 'stopped';
  readonly step?: string;
  readonly reason?: string;
  readonly problem?: string;
}

function siteOf({ row, status }: RowResult): SiteResult {
  const site = row.siteName;
  if (status.state === 'done') return { site, state: status.outcome };
  if (status.state !== 'failed') return { site, state: 'stopped' };
  const { step, reason } = status.problem;
  return { site, state: 'failed', step, reason, problem: `${stepWords(step)}: ${problemLine(status.problem)}` };
}
