import { applyRows } from '#extension/setup/sites/apply-rows.ts';
import type { RowResult, RowsProgress } from '#extension/setup/sites/rows.ts';
import { commandLine as messages } from '#extension/messages/en/command-line.ts';
import type { Options } from '../arguments.ts';
import { prepare } from '../prepare.ts';
import { problemLine, stepMessages } from '../row-messages.ts';
import type { CommandResult, CliContext } from '../cli-context.ts';
import { plan } from './plan.ts';

/** Brings service and authoring system to what the file says; a second time writes nothing. 0: done; 1: some sites failed. */
export async function apply(context: CliContext, options: Options): Promise<CommandResult> {
  if (options.dryRun) return plan(context, options);
  const { connection, batches, sites } = await prepare(context, options);
  const { signal } = context;
  const { concurrency } = options;
  const given = { ...(concurrency === undefined ? {} : { concurrency }), ...(sites === undefined ? {} : { sites }) };
  const results: RowResult[] = [];
  const total = batches.reduce((sum, { rows }) => sum + rows.length, 0);
  const tell = teller(context, options, total);
  for (const { batch, rows, ports } of batches) {
    const before = results.length;
    const onProgress = (progress: RowsProgress) => tell(before, progress);
    results.push(...(await applyRows(ports, batch, rows, { signal, reach: connection.reach, ...given, onProgress })).results);
  }
  return resultOf(results, connection.reach === 'service' && results.some(({ row }) => row.cloudConfiguration !== undefined));
}

/** One line on standard error whenever another tenth is done. */
function teller({ err }: CliContext, { format }: Options, total: number) {
  let told = 0;
  return (before: number, { done, failed, secondsLeft, pausedSeconds }: RowsProgress): void => {
    const ended = before + done + failed;
    if (format === 'json' || ended === told || ended % Math.max(1, Math.ceil(total / 10)) !== 0) return;
    told = ended;
    const left = secondsLeft === undefined || ended === total ? '' : `, ${messages.apply.left(secondsLeft)}`;
    const paused = pausedSeconds === undefined ? '' : `, ${messages.apply.paused(pausedSeconds)}`;
    err(`${messages.apply.progress(ended - failed, total, failed)}${left}${paused}\n`);
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
    partly: count('partly'),
    stopped: count('stopped'),
    writes: results.reduce((sum, { calls }) => sum + calls.length, 0),
  };
  const incomplete = summary.failed + summary.partly + summary.stopped > 0;
  const shown = sites.filter(({ state }) => state !== 'unchanged' && state !== 'stopped');
  const lines = [
    ...shown.map(({ site, state, problem }) => `${messages.apply[state]} ${site}${problem === undefined ? '' : `: ${problem}`}`),
    summary.unchanged === sites.length ? messages.plan.nothing(sites.length) : messages.apply.summary(summary),
    ...(authoringLeft ? [messages.apply.serviceOnly] : []),
    ...(incomplete ? [messages.apply.again] : []),
  ];
  return { code: incomplete ? 1 : 0, json: { summary, sites }, lines };
}

interface SiteResult {
  readonly site: string;
  /** `partly`: stopped after something was written for it; `stopped`: nothing was written for it. */
  readonly state: 'created' | 'changed' | 'unchanged' | 'failed' | 'partly' | 'stopped';
  readonly step?: string;
  readonly reason?: string;
  readonly problem?: string;
}

function siteOf({ row, status }: RowResult): SiteResult {
  const site = row.siteName;
  if (status.state === 'done') return { site, state: status.outcome };
  if (status.state !== 'failed') return { site, state: status.state === 'stopped' && status.begun === true ? 'partly' : 'stopped' };
  const { step, reason } = status.problem;
  return { site, state: 'failed', step, reason, problem: `${stepMessages(step)}: ${problemLine(status.problem)}` };
}
