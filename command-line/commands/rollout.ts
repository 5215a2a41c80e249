import { pointerSegments } from '@repoless/contract/errors.ts';
import { type Rollout, RolloutId, RolloutInput, type RolloutPreview, type RolloutSite } from '@repoless/contract/rollout.ts';
import type { Patch } from '@repoless/contract/endpoint-parts.ts';
import { isMissing } from '@repoless/core/api/organization-answers.ts';
import { createRolloutsPort } from '@repoless/core/api/organization-ports.ts';
import { describeChange } from '@repoless/core/history/describe-change.ts';
import { retry } from '@repoless/core/run/retry.ts';
import type { RolloutsPort, RolloutSiteFilter, RolloutSitePage } from '@repoless/core/rollouts/rollouts-port.ts';
import type { Known } from '@repoless/core/situation/call.ts';
import { commandLine } from '@repoless/core/messages/en/command-line.ts';
import { connect, must } from '../connect.ts';
import { requireHistory } from '../hosted-connection.ts';
import { consequenceLines, isOfNoService, notKnown, changeLine, onOneLine } from '../explain.ts';
import { readFileBy } from '../site-files.ts';
import type { ParsedFile } from '../site-file-text.ts';
import { type CliContext, CommandFailure, type CommandResult, type Options, UsageProblem } from '../cli-context.ts';

const messages = commandLine.rollout;

export interface RolloutWay {
  readonly port: RolloutsPort;
  readonly organization: string;
  /** This program makes the rollout itself, because the hosted service makes none. */
  readonly isOwn: boolean;
  wait(milliseconds: number, signal: AbortSignal): Promise<void>;
}

/**
 * Changes many sites, or gives an order to an existing rollout, and follows it. 1: it stopped, or sites were refused, left unchanged, or
 * not restored. With `--dry-run`, and with `--undo` without `--apply`: 3, there is something to change.
 */
export async function rollout(context: CliContext, options: Options): Promise<CommandResult> {
  const { organization, order } = options;
  if (organization === undefined) throw new UsageProblem(commandLine.usage.noOrganization);
  if (order !== undefined && !RolloutId.safeParse(order.rollout).success)
    throw new CommandFailure(messages.missing(order.rollout, organization));
  const file = order === undefined ? await readFileBy(context, options, RolloutInput) : undefined;
  const input = file?.value;
  const way = await rolloutWay(context, options, organization);
  if (input !== undefined && options.dryRun) return previewed(must(await way.port.preview(organization, input), notStarted(file)));
  if (order?.order === 'undo' && !options.apply) return undoShown(way, order.rollout);
  if (way.isOwn) await requireHistory(context, options, organization);
  const started = await startOrOrder(way, file, order);
  if (input !== undefined) report(context, options, messages.started(onOneLine(started.title), started.id));
  return await followRollout(context, options, way, started);
}

export async function rolloutWay(context: CliContext, options: Options, organization: string): Promise<RolloutWay> {
  const { client, signedIn, ports, service, hosted } = await connect(context, options);
  if (!signedIn) throw new CommandFailure(commandLine.login.needed);
  return { port: createRolloutsPort(client), organization, isOwn: hosted !== undefined, wait: ports(service).wait };
}

/** Follows a rollout until it ends or stops, if requested, and reports the result. */
export async function followRollout(context: CliContext, options: Options, way: RolloutWay, started: Rollout): Promise<CommandResult> {
  const waits = options.wait || way.isOwn;
  const ended = waits ? await followed(context, options, way, started) : started;
  return await result(context, way, ended, waits);
}

type RolloutFile = ParsedFile<RolloutInput>;

/** Reports errors that the service finds in the file with their locations, like those found here. */
function notStarted(file: RolloutFile | undefined): (known: Parameters<typeof notKnown>[0]) => Error {
  return (known) => {
    const problem = known.state === 'failed' ? known.failure.problem : undefined;
    const errors = problem?.code === 'BODY_INVALID' ? (problem.errors ?? []) : [];
    const failure = notKnown(known);
    if (file === undefined || errors.length === 0) return failure;
    return new UsageProblem(
      failure.message,
      errors.map(({ pointer, detail }) => file.locationOf(pointerSegments(pointer), detail)),
    );
  };
}

async function startOrOrder({ port, organization }: RolloutWay, file: RolloutFile | undefined, order: Options['order']): Promise<Rollout> {
  if (order !== undefined) return requireFound(await port.order(organization, order.rollout, order.order), order.rollout, organization);
  if (file === undefined) throw new UsageProblem(commandLine.usage.noFile);
  return must(await port.start(organization, file.value), notStarted(file));
}

/** Previews an undo, and how to order it: nothing is undone without a preview. */
async function undoShown({ port, organization }: RolloutWay, id: string): Promise<CommandResult> {
  const found = await port.rollout(organization, id);
  // A program that is not the service has no list either; for a dry run it would only report that it makes none.
  if (found.state === 'missing') must(await port.list(organization), notKnown);
  const shown = previewed(requireFound(await port.previewUndo(organization, id), id, organization));
  return { ...shown, lines: [...shown.lines, ...(shown.code === 0 ? [] : [messages.undoNext(id)])] };
}

function requireFound<T>(answer: Known<T>, id: string, organization: string): T {
  if (answer.state === 'failed' && isMissing(answer.failure) && !isOfNoService(answer.failure))
    throw new CommandFailure(messages.missing(id, organization));
  return must(answer, notKnown);
}

async function followed(context: CliContext, options: Options, way: RolloutWay, started: Rollout): Promise<Rollout> {
  const { port, organization, wait } = way;
  let last = started;
  let lastDone = -1;
  while ((last.state === 'running' || last.state === 'undoing') && !context.signal.aborted) {
    const done = last.total - (last.sites[last.state === 'running' ? 'waiting' : 'changed'] ?? 0);
    if (done !== lastDone) report(context, options, messages.progress(done, last.total));
    lastDone = done;
    await wait(POLL_INTERVAL, context.signal);
    last = must(await withRetry(context, way, () => port.rollout(organization, started.id)), notKnown);
  }
  // It would end with this program.
  if (way.isOwn && last.state === 'running') return must(await port.order(organization, started.id, 'stop'), notKnown);
  return last;
}

/** Retries a read while the service is busy or unreachable: the rollout continues in the meantime. */
function withRetry<T>({ signal }: CliContext, { wait }: RolloutWay, read: () => Promise<Known<T>>): Promise<Known<T>> {
  return retry({ ports: { wait }, signal }, read);
}

/** All sites of a rollout in a given state, page by page. */
async function sitesOf(context: CliContext, way: RolloutWay, id: string, which: RolloutSiteFilter): Promise<RolloutSite[]> {
  const { port, organization } = way;
  const all: RolloutSite[] = [];
  let after: string | undefined;
  do {
    const page: RolloutSitePage = must(await withRetry(context, way, () => port.sites(organization, id, which, after)), notKnown);
    all.push(...page.sites);
    after = page.next;
  } while (after !== undefined);
  return all;
}

async function result(context: CliContext, way: RolloutWay, ended: Rollout, waited: boolean): Promise<CommandResult> {
  const { id, state, sites, worse, stuck = 0, stopped } = ended;
  const sitesIn = (which: RolloutSiteFilter) => sitesOf(context, way, id, which);
  const found = [
    ...((sites.refused ?? 0) > 0 ? await sitesIn('refused') : []),
    ...((sites.kept ?? 0) > 0 ? await sitesIn('kept') : []),
    ...(stuck > 0 ? await sitesIn('stuck') : []),
    ...(worse > 0 ? await sitesIn('worse') : []),
  ];
  // Checks that got worse with the change are not reported for a site that no longer has it.
  const reported = [...new Map(found.map((site) => [site.name, site])).values()].filter((site) => site.state !== 'undone');
  const isUnfinished = state === 'running' || state === 'undoing';
  const isWell = (state === 'undone' || (state === 'done' && (sites.refused ?? 0) === 0)) && (sites.kept ?? 0) === 0;
  return {
    code: isWell || (isUnfinished && !waited) ? 0 : 1,
    isUnfinished,
    json: { rollout: ended, sites: reported },
    lines: [
      ...reported.flatMap(siteLines),
      ...(stopped === undefined ? [] : [messages.why[stopped.reason], ...(stopped.detail === undefined ? [] : [stopped.detail])]),
      messages.counts(Object.entries(sites).map(([one, count]) => `${count} ${one}`)),
      stopped?.undoing === true && state === 'stopped' ? messages.undoStopped(id) : messages.ends[state](id),
    ],
  };
}

/** A site that got worse may be one that could not be restored. */
function siteLines({ name, state, detail = '', stuck, worse = [] }: RolloutSite): string[] {
  if (state === 'refused') return [messages.refused(name, detail)];
  if (state === 'kept') return [messages.kept(name, detail)];
  return [...(stuck === true ? [messages.stuck(name, detail)] : []), ...(worse.length > 0 ? [messages.worse(name, worse)] : [])];
}

export function previewed(preview: RolloutPreview): CommandResult {
  const refused = preview.sites.filter(({ state }) => state === 'refused');
  const count = (state: 'changed' | 'unchanged') => preview.sites.filter((site) => site.state === state).length;
  return {
    code: refused.length > 0 ? 1 : count('changed') > 0 ? 3 : 0,
    json: preview,
    lines: [
      ...consequenceLines(preview.consequences),
      ...preview.kinds.map(({ count: sites, example, diff }) => messages.kind(sites, changesOf(preview, example, diff))),
      ...refused.map(({ name, detail = '' }) => messages.refused(name, detail)),
      messages.preview({ changed: count('changed'), unchanged: count('unchanged'), refused: refused.length }),
    ],
  };
}

/** The differences of a site in words; if they are too large to be in the answer, only their paths. */
function changesOf({ sites }: RolloutPreview, example: string, diff: Patch): string[] {
  const parts = sites.find(({ name }) => name === example)?.parts;
  if (parts === undefined) return [...new Set(diff.map(({ op, path }) => `${op} ${path}`))];
  return describeChange(parts.before, parts.after).map(changeLine);
}

function report(context: CliContext, { format }: Options, line: string): void {
  if (format !== 'json') context.err(`${line}\n`);
}

const POLL_INTERVAL = 2_000;
