import { PathPrefix } from '@repoless/contract/mappings.ts';
import type { SiteListEntry } from '@repoless/contract/site.ts';
import { commandLine as messages } from '@repoless/core/messages/en/command-line.ts';
import type { SetupPorts } from '@repoless/core/situation/ports.ts';
import { applyRows, shownSteps } from '@repoless/core/sites/apply-rows.ts';
import { authorOf } from '@repoless/core/sites/organization-sites.ts';
import { targetAccount, type MoveQuestion } from '@repoless/core/sites/plan-move.ts';
import { consequencesOfMove, planMoves, type PlannedMoves, readEnds } from '@repoless/core/sites/plan-moves.ts';
import { isLeft } from '@repoless/core/sites/row-problems.ts';
import type { PathChange } from '@repoless/core/sites/rows.ts';
import { type CliContext, CommandFailure, type CommandResult, type Options, UsageProblem } from '../cli-context.ts';
import { connect, must } from '../connect.ts';
import { consequenceLines, failureLine, notKnown } from '../explain.ts';
import { type Change, changeOf, summaryOf } from '../planned-change.ts';
import { siteOf, type SiteResult, progressReporter } from './apply.ts';
import { withMappings } from '../prune.ts';
import { linesOf, planMarkdown } from './plan.ts';

/**
 * Describes how sites move to another authoring environment, and moves them with --apply. Planned: 0 nothing to do, 3 sites can move, 1
 * some cannot. Applied: 0 done, 1 some failed; each stayed where it was unless its problem says otherwise.
 */
export async function move(context: CliContext, options: Options): Promise<CommandResult> {
  const prepared = await prepareMove(context, options);
  return options.apply ? apply(context, options, prepared) : plan(prepared);
}

function plan({ batch, planned, question, organization }: PreparedMove): CommandResult {
  const changes = planned.map((row) => changeOf(batch, row));
  const summary = summaryOf(changes);
  const open = changes.filter(({ action }) => action !== 'none');
  const untried = planned.find((row) => row.untried !== undefined)?.untried;
  const notes = [
    ...consequenceLines(consequencesOfMove({ planned }, question)),
    ...(open.length === 0 || targetAccount(question) === '' ? [] : [accountLine(question)]),
    ...(untried === undefined ? [] : [messages.plan.untried(failureLine(untried))]),
  ];
  const lines = open.length === 0 ? [nothingLine(changes, question)] : [...open.flatMap(linesOf), messages.plan.summary(summary)];
  return {
    code: summary.blocked > 0 ? 1 : open.length > 0 ? 3 : 0,
    json: { ...environmentsOf(question), summary, changes },
    lines: [...lines, ...notes, ...(summary.change > 0 ? [messages.move.next] : [])],
    markdown: () => planMarkdown(organization, summary, changes, notes),
  };
}

async function apply(context: CliContext, options: Options, { batch, planned, question, organization, ports }: PreparedMove) {
  const { signal } = context;
  const { concurrency } = options;
  const rows = planned.filter(({ problems }) => problems.length === 0).map(({ row }) => row);
  const reportProgress = progressReporter(context, options, rows.length);
  const rowOptions = concurrency === undefined ? {} : { concurrency };
  const { results } = await applyRows(ports, batch, rows, {
    signal,
    ...rowOptions,
    shown: shownSteps(planned),
    onProgress: (progress) => reportProgress({ ended: 0, failed: 0 }, progress),
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
  const atTarget = [...moved, ...left];
  const back = atTarget.length === 0 ? undefined : moveBackCommand(question, { organization, sites: atTarget, service: options.service });
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
  const account = targetAccount(question);
  if (from.technicalAccount === undefined) return messages.move.accountUnknown(from.author);
  return (keepsAccount === true ? messages.move.accountStays : messages.move.accounts)(from.technicalAccount, account);
}

function environmentsOf({ from, to }: MoveQuestion) {
  return { from, to };
}

/** The command that moves them back. */
function moveBackCommand(
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

export interface PreparedMove extends PlannedMoves {
  readonly organization: string;
  readonly question: MoveQuestion;
  /** Those of the target environment. */
  readonly ports: SetupPorts;
}

/** Reads both environments and plans the move of the named sites, or of all that the source delivers. */
export async function prepareMove(context: CliContext, options: Options): Promise<PreparedMove> {
  const { organization, from, to, paths, account } = readOptions(options);
  const connection = await connect(context, options);
  if (!connection.signedIn) throw new CommandFailure(messages.login.needed);
  if (connection.reach === 'service') throw new CommandFailure(messages.move.noAuthoring);
  const [ports, old] = [connection.ports(to), connection.ports(from)];
  const [infoRead, listed] = await Promise.all([ports.service.info(), ports.service.allSites(organization)]);
  const info = must(infoRead, notKnown);
  const reading = { ports, signal: context.signal, organization, info };
  const sites = must(await withMappings(reading, must(listed, notKnown), [from, to]), notKnown);
  const chosen = chosenOf(sites, organization, from, options.sites);
  const ends = await readEnds({ ports, oldAuthoring: old.authoring }, { from, to, sites, paths }, { chosen, info });
  const question: MoveQuestion = {
    ...ends,
    paths,
    ...(account === undefined ? {} : { account }),
    keepsAccount: options.keepAccount,
    sites,
  };
  const { concurrency } = options;
  const planned = await planMoves({ ports, oldAuthoring: old.authoring }, question, {
    organization,
    info,
    chosen,
    signal: context.signal,
    ...(concurrency === undefined ? {} : { concurrency }),
  });
  return { ...planned, organization, question, ports };
}

function readOptions({ organization, from, to, paths, technicalAccount: account }: Options) {
  if (organization === undefined) throw new UsageProblem(messages.usage.noOrganization);
  if (from === undefined || to === undefined) throw new UsageProblem(messages.move.authors);
  const target = { organization, from: originOf(from), to: originOf(to), paths: paths.map(pathChange), account };
  if (target.from === target.to) throw new UsageProblem(messages.move.same);
  return target;
}

function originOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) throw new UsageProblem(messages.move.author(text));
  return url.origin;
}

function pathChange(text: string): PathChange {
  const [from, to, ...more] = text.split('=').map((path) => path.replace(/\/+$/, ''));
  const isPath = (path: string | undefined): path is string => path !== undefined && path !== '' && PathPrefix.safeParse(path).success;
  if (!isPath(from) || !isPath(to) || more.length > 0) throw new UsageProblem(messages.move.path(text));
  return { from, to };
}

function chosenOf(sites: readonly SiteListEntry[], organization: string, from: string, names: readonly string[]): SiteListEntry[] {
  if (names.length === 0) return sites.filter((site) => authorOf(site) === from);
  return [...new Set(names)].map((name) => {
    const site = sites.find((one) => one.name === name);
    if (site === undefined) throw new UsageProblem(messages.move.noSite(name, organization));
    return site;
  });
}
