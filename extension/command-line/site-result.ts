import type { Batch, RowResult, RowsProgress } from '#extension/setup/sites/rows.ts';
import { commandLine as messages } from '#extension/messages/en/command-line.ts';
import type { Options } from './arguments.ts';
import type { CliContext } from './cli-context.ts';
import { contentChangeOf, contentQuestion } from './content-change.ts';
import { problemLine, stepMessages } from './row-messages.ts';

/** What became of a site. */
export interface SiteResult {
  readonly site: string;
  /** `partly`: stopped after something was written for it; `stopped`: nothing was written for it. */
  readonly state: 'created' | 'changed' | 'removed' | 'unchanged' | 'failed' | 'partly' | 'stopped';
  readonly step?: string;
  readonly reason?: string;
  readonly problem?: string;
}

export function siteOf(batch: Batch, { row, status }: RowResult): SiteResult {
  const site = row.siteName;
  if (status.state === 'done') return { site, state: status.outcome };
  if (status.state !== 'failed') return { site, state: status.state === 'stopped' && status.begun === true ? 'partly' : 'stopped' };
  const { step, reason, data } = status.problem;
  const about = { site, state: 'failed', step, reason } as const;
  // Nothing went wrong: it is left out until somebody confirms it.
  if (reason === 'name-taken') return { ...about, problem: contentQuestion(site, contentChangeOf(batch, row, data['root'] ?? '')) };
  return { ...about, problem: `${stepMessages(step)}: ${problemLine(status.problem)}` };
}

/** How many sites have ended, of earlier batches, and how many of these failed. */
export interface Ended {
  readonly ended: number;
  readonly failed: number;
}

/** One line on standard error whenever another tenth is done. */
export function teller({ err }: CliContext, { format }: Options, total: number) {
  let told = 0;
  return (before: Ended, { done, failed: failedNow, secondsLeft, pausedSeconds }: RowsProgress): void => {
    const failed = before.failed + failedNow;
    const ended = before.ended + done + failedNow;
    if (format === 'json' || ended === told || ended % Math.max(1, Math.ceil(total / 10)) !== 0) return;
    told = ended;
    const left = secondsLeft === undefined || ended === total ? '' : `, ${messages.apply.left(secondsLeft)}`;
    const paused = pausedSeconds === undefined ? '' : `, ${messages.apply.paused(pausedSeconds)}`;
    err(`${messages.apply.progress(ended - failed, total, failed)}${left}${paused}\n`);
  };
}
