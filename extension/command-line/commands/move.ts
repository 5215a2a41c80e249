import { applyRows } from '#extension/setup/sites/apply-rows.ts';
import { isLeft } from '#extension/setup/sites/row-problem.ts';
import { accountThere } from '#extension/setup/sites/plan-move.ts';
import type { MoveQuestion } from '#extension/setup/sites/plan-move.ts';
import { commandLine as messages } from '#extension/messages/en/command-line.ts';
import type { Options } from '../arguments.ts';
import type { CommandResult, CliContext } from '../cli-context.ts';
import { failureLine } from '../explain.ts';
import { changeOf, linesOf, summaryOf } from '../planned-change.ts';
import type { Change } from '../planned-change.ts';
import { prepareMove } from '../prepare-move.ts';
import type { PreparedMove } from '../prepare-move.ts';
import { siteOf, teller } from '../site-result.ts';
import type { SiteResult } from '../site-result.ts';
import { planMarkdown } from './plan-markdown.ts';

/**
 * Says how sites move to another authoring environment, and with --apply moves them. Planned: 0 nothing to do, 3 sites can move, 1 some
 * cannot. Applied: 0 done, 1 some failed; each stayed where it was unless its problem says otherwise.
 */
export async function move(context: CliContext, options: Options): Promise<CommandResult> {
  const prepared = await prepareMove(context, options);
  return options.move?.apply === true ? apply(context, options, prepared) : plan(prepared);
}

function plan({ batch, planned, question, organization }: PreparedMove): CommandResult {
  const changes = planned.map((row) => changeOf(batch, row));
  const summary = summaryOf(changes);
  const open = changes.filter(({ action }) => action !== 'none');
  const untried = planned.find((row) => row.untried !== undefined)?.untried;
  const told = [
    ...(open.length === 0 || accountThere(question) === '' ? [] : [accountLine(question)]),
    ...(untried === undefined ? [] : [messages.plan.untried(failureLine(untried))]),
  ];
  const lines = open.length === 0 ? [nothingLine(changes, question)] : [...open.flatMap(linesOf), messages.plan.summary(summary)];
  return {
    code: summary.blocked > 0 ? 1 : open.length > 0 ? 3 : 0,
    json: { ...environmentsOf(question), summary, changes },
    lines: [...lines, ...told, ...(summary.change > 0 ? [messages.move.next] : [])],
    markdown: () => planMarkdown(organization, summary, changes, told),
  };
}

async function apply(context: CliContext, options: Options, { batch, planned, question, organization, ports }: PreparedMove) {
  const { signal } = context;
  const { concurrency } = options;
  const rows = planned.filter(({ problems }) => problems.length === 0).map(({ row }) => row);
  const tell = teller(context, options, rows.length);
  const given = concurrency === undefined ? {} : { concurrency };
  const { results } = await applyRows(ports, batch, rows, {
    signal,
    ...given,
    onProgress: (progress) => tell({ ended: 0, failed: 0 }, progress),
  });
  const applied = new Map(results.map((result) => [result.row.id, siteOf(batch, result)]));
  const sites = planned.map((row): SiteResult => applied.get(row.row.id) ?? blockedSite(changeOf(batch, row)));
  const moved = sites.filter(({ state }) => state === 'changed').map(({ site }) => site);
  const left = results.flatMap(({ row, status }) => (status.state === 'failed' && isLeft(status.problem) ? [row.siteName] : []));
  const count = (...states: SiteResult['state'][]) => sites.filter(({ state }) => states.includes(state)).length;
  const summary = {
    moved: moved.length,
    unchanged: count('unchanged'),
    failed: count('failed'),
    left: left.length,
    partly: count('partly'),
    stopped: count('stopped'),
    writes: results.reduce((sum, { calls }) => sum + calls.length, 0),
  };
  const incomplete = summary.failed + summary.partly + summary.stopped > 0;
  const there = [...moved, ...left];
  const back = there.length === 0 ? undefined : wayBack(question, { organization, sites: there, service: options.service });
  const shown = sites.filter(({ state }) => state === 'changed' || state === 'failed');
  return {
    code: incomplete ? 1 : 0,
    json: { ...environmentsOf(question), summary, sites, ...(back === undefined ? {} : { back }) },
    lines: [
      ...shown.map(resultLine),
      moved.length === 0 && !incomplete ? nothingLine(sites, question) : messages.move.summary(summary, question.to.author),
      ...(incomplete ? [left.length > 0 ? messages.move.left : messages.move.failed] : []),
      ...(back === undefined ? [] : [messages.move.back(back)]),
    ],
  } satisfies CommandResult;
}

function blockedSite({ site, problems }: Change): SiteResult {
  return { site, state: 'failed', problem: problems.map(({ sentence }) => sentence).join(' ') };
}

function resultLine({ site, state, problem }: SiteResult): string {
  const what = state === 'changed' ? messages.move.moved : messages.apply[state];
  return `${what} ${site}${problem === undefined ? '' : `: ${problem}`}`;
}

function nothingLine(sites: readonly unknown[], { from, to }: MoveQuestion): string {
  return sites.length === 0 ? messages.move.none(from.author) : messages.move.nothing(sites.length, to.author);
}

function accountLine(question: MoveQuestion): string {
  const { from, keepsAccount } = question;
  const account = accountThere(question);
  if (from.technicalAccount === undefined) return messages.move.accountUnknown(from.author);
  return (keepsAccount === true ? messages.move.accountStays : messages.move.accounts)(from.technicalAccount, account);
}

function environmentsOf({ from, to }: MoveQuestion) {
  return { from, to };
}

/** The command that moves them back. */
function wayBack(
  { from, to, paths }: MoveQuestion,
  {
    organization,
    sites,
    service,
  }: { readonly organization: string; readonly sites: readonly string[]; readonly service: string | undefined },
): string {
  const at = service === undefined ? [] : ['--service', service];
  const changes = paths.flatMap((path) => ['--path', `${path.to}=${path.from}`]);
  const args = [...at, '--organization', organization, '--from', to.author, '--to', from.author, ...changes, ...sites, '--apply'];
  return ['repoless', 'move', ...args.map(quoted)].join(' ');
}

function quoted(arg: string): string {
  return /^[\w@%+=:,./-]+$/.test(arg) ? arg : `'${arg.replaceAll("'", String.raw`'\''`)}'`;
}
