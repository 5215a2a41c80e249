import { commandLine as messages } from '@repoless/core/messages/en/command-line.ts';
import { applyRows } from '@repoless/core/sites/apply-rows.ts';
import type { Reach } from '@repoless/core/sites/prepare-row.ts';
import type { Batch, RowResult, RowsProgress, RowStatus, RowStep, SiteRow } from '@repoless/core/sites/rows.ts';
import type { CliContext, CommandResult, Options } from '../cli-context.ts';
import { problemLine, stepMessages } from '../explain.ts';
import { contentChangeOf, contentQuestion } from '../planned-change.ts';
import { prepare } from '../prepare.ts';
import { carryOrganization } from '../transfer/carry-organization.ts';
import { prune, type Pruned, readFormerSites } from '../prune.ts';
import { plan } from './plan.ts';

/**
 * Brings service and authoring system to the state in the file; running it again writes nothing. Removals come last. 0: done; 1: some sites
 * failed.
 */
export async function apply(context: CliContext, options: Options): Promise<CommandResult> {
  if (options.dryRun) return plan(context, options);
  if (options.to !== undefined) return carryOrganization(context, options, { isPlan: false });
  const prepared = await prepare(context, options);
  const { connection, batches, sites } = prepared;
  const formers = await readFormerSites(context, options, prepared);
  const { signal } = context;
  const { concurrency } = options;
  const rowOptions = { ...(concurrency === undefined ? {} : { concurrency }), ...(sites === undefined ? {} : { sites }) };
  const results: RowResult[] = [];
  const written: SiteResult[] = [];
  const total = batches.reduce((sum, { rows }) => sum + rows.length, 0);
  const reportProgress = progressReporter(context, options, total);
  const onRow = waitReporter(context, options);
  for (const { batch, rows, ports } of batches) {
    const before = { ended: results.length, failed: results.filter(({ status }) => status.state === 'failed').length };
    const onProgress = (progress: RowsProgress) => reportProgress(before, progress);
    const applied = await applyRows(ports, batch, rows, {
      signal,
      reach: connection.reach,
      ...rowOptions,
      onProgress,
      onRow: onRow(batch),
    });
    results.push(...applied.results);
    written.push(...applied.results.map((result) => siteOf(batch, result)));
  }
  const isDone = results.every(({ status }) => status.state === 'done');
  const pruned = formers !== undefined && isDone ? await prune(context, prepared, formers) : [];
  const left = formers === undefined || isDone ? [] : formers.map(({ siteName }) => siteName);
  const authoringLeft = connection.reach === 'service' && results.some(({ row }) => row.cloudConfiguration !== undefined);
  return resultOf(results, { written, pruned, left, authoringLeft, reach: connection.reach });
}

interface Rest {
  readonly written: readonly SiteResult[];
  readonly pruned: readonly Pruned[];
  /** Sites that would have been removed if everything else had succeeded. */
  readonly left: readonly string[];
  readonly authoringLeft: boolean;
  readonly reach: Reach;
}

function resultOf(results: readonly RowResult[], { written, pruned, left, authoringLeft, reach }: Rest): CommandResult {
  const removals = pruned.map(({ calls: _calls, ...site }): SiteResult => site);
  const count = (state: SiteResult['state']) => written.filter((site) => site.state === state).length;
  const removed = removals.filter(({ state }) => state === 'removed').length;
  const calls = [...results, ...pruned].reduce((sum, one) => sum + one.calls.length, 0);
  const summary = {
    created: count('created'),
    changed: count('changed'),
    unchanged: count('unchanged'),
    removed,
    notRemoved: removals.length - removed + left.length,
    failed: count('failed'),
    partly: count('partly'),
    unverified: count('unverified'),
    stopped: count('stopped'),
    writes: calls,
  };
  const incomplete = summary.failed + summary.partly + summary.unverified + summary.stopped + summary.notRemoved > 0;
  const shown = [...written.filter(({ state }) => state !== 'unchanged' && state !== 'stopped'), ...removals];
  const nothing = summary.unchanged === results.length;
  const lines = [
    ...shown.map(({ site, state, problem }) => `${messages.apply[state]} ${site}${problem === undefined ? '' : `: ${problem}`}`),
    nothing && removals.length === 0 ? messages.plan.nothing(results.length) : messages.apply.summary(summary),
    ...(removals.length === 0 ? [] : [messages.prune.summary(removed, removals.length - removed)]),
    ...(left.length === 0 ? [] : [messages.prune.notBegun(left)]),
    ...(authoringLeft ? [messages.apply.serviceOnly] : []),
    ...(reach === 'service' && removed > 0 ? [messages.prune.serviceOnly(removed)] : []),
    ...(incomplete ? [messages.apply.again] : []),
  ];
  return { code: incomplete ? 1 : 0, json: { summary, sites: [...written, ...removals], notRemoved: left }, lines };
}

export interface SiteResult {
  readonly site: string;
  /** Stopped `partly`: after something was written; `unverified`: after everything was; `stopped`: before. */
  readonly state: 'created' | 'changed' | 'removed' | 'unchanged' | 'failed' | 'partly' | 'unverified' | 'stopped';
  readonly step?: string;
  readonly reason?: string;
  readonly problem?: string;
}

export function siteOf(batch: Batch, { row, status }: RowResult): SiteResult {
  const site = row.siteName;
  if (status.state === 'done') return { site, state: status.outcome };
  if (status.state === 'stopped' && status.started === true) return { site, state: status.unverified ? 'unverified' : 'partly' };
  if (status.state !== 'failed') return { site, state: 'stopped' };
  const { step, reason, data } = status.problem;
  const about = { site, state: 'failed', step, reason } as const;
  // Not a failure: it is skipped until someone confirms it.
  if (reason === 'name-taken') return { ...about, problem: contentQuestion(site, contentChangeOf(batch, row, data['root'] ?? '')) };
  return { ...about, problem: `${stepMessages[step]}: ${problemLine(status.problem)}` };
}

/** Sites finished, including those of earlier batches, and how many of them failed. */
export interface Ended {
  readonly ended: number;
  readonly failed: number;
}

/** Writes a line to standard error for every tenth that is done. */
export function progressReporter({ err }: CliContext, { format }: Options, total: number) {
  let reported = 0;
  return (before: Ended, { done, failed: failedNow, secondsLeft, pausedSeconds }: RowsProgress): void => {
    const failed = before.failed + failedNow;
    const ended = before.ended + done + failedNow;
    if (format === 'json' || ended === reported || ended % Math.max(1, Math.ceil(total / 10)) !== 0) return;
    reported = ended;
    const left = secondsLeft === undefined || ended === total ? '' : `, ${messages.apply.left(secondsLeft)}`;
    const paused = pausedSeconds === undefined ? '' : `, ${messages.apply.paused(pausedSeconds)}`;
    err(`${messages.apply.progress(ended - failed, total, failed)}${left}${paused}\n`);
  };
}

/** Attempts after which hosts have usually followed by themselves: several seconds. */
const SILENT_ATTEMPTS = 6;
const FOLLOWING: readonly RowStep[] = ['code', 'verify', 'pages'];

/** Writes a line to standard error for the first site that waits longer for its hosts, once for each step. */
function waitReporter({ err }: CliContext, { format }: Options) {
  const reportedSteps = new Set<RowStep>();
  return ({ info }: Batch) =>
    ({ siteName }: Pick<SiteRow, 'siteName'>, status: RowStatus): void => {
      if (format === 'json' || status.state !== 'running' || (status.attempt ?? 0) < SILENT_ATTEMPTS) return;
      if (!FOLLOWING.includes(status.step) || reportedSteps.has(status.step)) return;
      reportedSteps.add(status.step);
      const waits = info.hosted === undefined ? 'own' : status.step === 'verify' ? 'config' : 'hosted';
      err(`${messages.apply.follows(siteName, stepMessages[status.step], waits)}\n`);
    };
}
