import { commandLine as messages } from '@repoless/core/messages/en/command-line.ts';
import type { CommandResult } from '../cli-context.ts';
import type { Left } from './carried-document.ts';

/** The actual or planned result for the organization, a profile or a site. */
export interface Carried {
  /** `organization`, `profiles/<name>` or `sites/<name>`. */
  readonly of: string;
  readonly state: 'created' | 'completed' | 'replaced' | 'unchanged' | 'differs' | 'refused' | 'stopped';
  /** What is written, or would be if it did not differ. */
  readonly changes: readonly string[];
  /** The target's objections: why all or part of it is not written. */
  readonly objections: readonly string[];
  readonly warnings: readonly string[];
  /** Parts that exist only in the target; they stay. */
  readonly stays: readonly string[];
}

export interface Transfer {
  readonly organization: string;
  readonly from: string;
  readonly to: string;
  readonly carried: readonly Carried[];
  readonly left: readonly Left[];
  readonly isPlan: boolean;
}

/** 0: everything transferable is there; 3: it would be; 1: something was refused, differs, or was not started. */
export function transferResult({ organization, from, to, carried, left, isPlan }: Transfer): CommandResult {
  const count = (state: Carried['state']) => carried.filter((one) => one.state === state).length;
  const summary = {
    created: count('created'),
    completed: count('completed'),
    replaced: count('replaced'),
    unchanged: count('unchanged'),
    differs: count('differs'),
    refused: count('refused'),
    stopped: count('stopped'),
  };
  const stuck = summary.differs + summary.refused + summary.stopped;
  const isUnchanged = summary.unchanged === carried.length;
  const code = stuck > 0 ? 1 : isPlan && !isUnchanged ? 3 : 0;
  return {
    code,
    json: { organization, from, to, summary, carried, notCarried: left },
    lines: [
      ...carried.flatMap((one) => linesOf(one, isPlan)),
      isUnchanged ? messages.transfer.nothing : messages.transfer.summary(summary, isPlan),
      ...(!isPlan && summary.refused + summary.stopped > 0 ? [messages.transfer.again] : []),
      ...leftLines(left),
      ...(isPlan || isUnchanged ? [] : [messages.transfer.always]),
    ],
  };
}

function linesOf({ of, state, changes, objections, warnings, stays }: Carried, isPlan: boolean): string[] {
  const told = [...changes, ...warnings, ...objections, ...(stays.length === 0 ? [] : [messages.transfer.stays(stays)])];
  if (state === 'unchanged' && told.length === 0) return [];
  return [`${messages.transfer.states[state][isPlan ? 'would' : 'done']} ${of}`, ...told.map((line) => `  ${line}`)];
}

/** What people have to do themselves. */
export function leftLines(left: readonly Left[]): string[] {
  if (left.length === 0) return [];
  return [messages.transfer.left, ...left.map(({ of, kind, name }) => `  ${messages.transfer.leftLine(of, kind, shown(name))}`)];
}

/** People wrote some of them: no control character may reach a terminal. */
function shown(name: string): string {
  return /^[\w ./@|,=+-]*$/.test(name) ? name : JSON.stringify(name);
}
