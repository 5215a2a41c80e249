import { commandLine as messages } from '@repoless/core/messages/en/command-line.ts';
import { type PlannedRow, planRows } from '@repoless/core/sites/apply-rows.ts';
import type { RemovedPage } from '@repoless/core/sites/plan-removals.ts';
import type { Batch, SiteRow } from '@repoless/core/sites/rows.ts';
import { readSimulation, type ReadSimulation } from '@repoless/core/mappings/read-simulation.ts';
import { isHarmful } from '@repoless/core/mappings/simulate-mappings.ts';
import { english } from '@repoless/core/messages/english.ts';
import { affectedPages, pageSentence, simulationRemarks, simulationSummary } from '@repoless/core/messages/simulation-sentences.ts';
import type { SetupPorts } from '@repoless/core/situation/ports.ts';
import { mapConcurrently } from '@repoless/core/run/retry.ts';
import { rowSite } from '@repoless/core/sites/row-site.ts';
import { type CliContext, type CommandResult, type Options, CommandFailure } from '../cli-context.ts';
import { consequenceLines, failureLine, stepMessages, notKnown } from '../explain.ts';
import { type Change, changeOf, type ContentChange, type PlanSummary, type Removed, summaryOf } from '../planned-change.ts';
import { prepare } from '../prepare.ts';
import { carryOrganization } from '../transfer/carry-organization.ts';
import { planPrune, readFormerSites, removalChange } from '../prune.ts';

/** Describes what apply would do, field by field. 0: nothing; 3: changes are pending; 1: something is blocked. */
export async function plan(context: CliContext, options: Options): Promise<CommandResult> {
  if (options.to !== undefined) return carryOrganization(context, options, { isPlan: true });
  const prepared = await prepare(context, options);
  const { connection, batches, sites, file, info } = prepared;
  const formers = await readFormerSites(context, options, prepared);
  const { signal } = context;
  const { reach } = connection;
  const planned: { readonly batch: Batch; readonly row: PlannedRow }[] = [];
  for (const { batch, rows, ports } of batches) {
    const { concurrency } = options;
    const rowOptions = { ...(concurrency === undefined ? {} : { concurrency }), ...(sites === undefined ? {} : { sites }) };
    planned.push(...(await planRows(ports, batch, rows, { signal, reach, ...rowOptions })).map((row) => ({ batch, row })));
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
  const notes = [
    ...consequenceLines(changes.flatMap(({ consequences }) => consequences)),
    ...(untried === undefined ? [] : [messages.plan.untried(failureLine(untried))]),
    ...(reach === 'service' && open.length > removed ? [messages.apply.serviceOnly] : []),
    ...(reach === 'service' && removed > 0 ? [messages.prune.serviceOnly(removed)] : []),
  ];
  return {
    code: summary.blocked > 0 ? 1 : open.length > 0 ? 3 : 0,
    json: { reach, summary, changes },
    lines: [...lines, ...notes],
    markdown: () => planMarkdown(file.organization, summary, changes, notes),
  };
}

/** A change as lines of text. */
export function linesOf(change: Change): string[] {
  const { site, action } = change;
  if (action === 'blocked') return detailLines(change).map((sentence) => `${messages.plan.actions.blocked} ${site}: ${sentence}`);
  return [`${messages.plan.actions[action]} ${site}: ${partNames(change).join(', ')}`, ...detailLines(change).map((line) => `  ${line}`)];
}

/** The details of a change: each written part, followed by its differences. */
function detailLines({ action, steps, problems, content, removes }: Change): string[] {
  if (action === 'blocked') return problems.map(({ sentence }) => sentence);
  if (removes !== undefined) return removedLines(removes);
  const parts = writtenSteps(steps).flatMap(({ step, changes }) => [stepMessages[step], ...changes.map(({ text }) => `  ${text}`)]);
  return content === undefined ? parts : [...contentLines(content), ...parts];
}

/** The written parts, for use in a sentence. */
function partNames({ steps, removes }: Change): string[] {
  return removes === undefined ? writtenSteps(steps).map(({ step }) => stepMessages[step]) : [messages.plan.removes];
}

function writtenSteps(steps: Change['steps']): Change['steps'] {
  return steps.filter(({ step }) => step !== 'verify');
}

/** Common code hosts limit comments to 65,536 characters. */
const LONGEST = 60_000;

/** The plan as a comment of a pull request: a table of the sites that differ, and the changes of each. */
export function planMarkdown(organization: string, summary: PlanSummary, changes: readonly Change[], notes: readonly string[]): string {
  const open = changes.filter(({ action }) => action !== 'none');
  const head = [`### ${messages.plan.title(organization)}`, '', messages.plan.summary(summary), ...notes.flatMap((line) => ['', line]), ''];
  if (open.length === 0) return `${head.join('\n')}\n`;
  const { site, what, parts } = messages.plan.columns;
  const table = [`| ${site} | ${what} | ${parts} |`, '| --- | --- | --- |'];
  const rows = fitting(open.map(tableRow), LONGEST / 2);
  const more = rows.left === 0 ? [''] : ['', messages.plan.leftRows(rows.left), ''];
  const lines = [...head, ...table, ...rows.fitting, ...more];
  const { fitting: shown, left } = fitting(open.map(details), LONGEST - lines.join('\n').length);
  return `${[...lines, ...shown, ...(left === 0 ? [] : [messages.plan.left(left)])].join('\n')}\n`;
}

function tableRow(change: Change): string {
  const { site, action } = change;
  return `| \`${site}\` | ${messages.plan.actions[action]} | ${action === 'blocked' ? '' : partNames(change).join(', ')} |`;
}

function details(change: Change): string {
  const summary = `<details><summary>${change.site}: ${messages.plan.actions[change.action]}</summary>`;
  return [summary, '', fenced(detailLines(change).join('\n')), '', '</details>', ''].join('\n');
}

/** Text from people and programs is shown literally, so that it cannot contain a link, a mention or HTML. */
function fenced(text: string): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(Math.max(3, longest + 1));
  return `${fence}text\n${text}\n${fence}`;
}

/** As many as fit, in order. */
function fitting(texts: readonly string[], space: number): { readonly fitting: readonly string[]; readonly left: number } {
  let used = 0;
  const first = texts.findIndex((text) => (used += text.length + 1) > space);
  return first === -1 ? { fitting: texts, left: 0 } : { fitting: texts.slice(0, first), left: texts.length - first };
}

function contentLines(change: ContentChange): string[] {
  if (change.moves === true) return [messages.content.change(change), messages.content.oldPage(change.from)];
  return [messages.content.change(change), messages.content.disappear(change), messages.content.oldPage(change.from)];
}

function removedLines({ preview, live, productionHost, secrets, apiKeys, versionsKept, page }: Removed): string[] {
  const { prune } = messages;
  return [
    prune.addresses(preview, live),
    ...(productionHost === undefined ? [] : [prune.productionHost(productionHost)]),
    prune.secrets(secrets),
    // People wrote them: none of their control characters may reach a terminal.
    prune.apiKeys(apiKeys.map((name) => JSON.stringify(name))),
    ...(versionsKept === 0 ? [] : [prune.versions(versionsKept)]),
    ...pageLines(page),
  ];
}

function pageLines(page: RemovedPage | undefined): string[] {
  const texts = messages.prune.page;
  switch (page?.kind) {
    case 'inherits':
      return [texts.inherits(page.page)];
    case 'kept':
      return [page.repoless ? texts.repoless(page.page) : texts.kept(page.page)];
    case 'gone':
      return [texts.gone(page.page)];
    case 'unread':
    case 'none':
    case undefined:
      return [];
    default:
      return page satisfies never;
  }
}

/** Sites read concurrently: each in turn reads several pages concurrently. */
const AT_ONCE = 2;

/**
 * Describes how the mappings of the file affect existing pages. 0: no page is worse off; 3: a page loses its address, or two collide; 1:
 * the pages of a site could not be read; 4: nothing wrong was found, but not all pages were checked.
 */
export async function simulate(context: CliContext, options: Options): Promise<CommandResult> {
  const { connection, batches } = await prepare(context, options);
  if (connection.reach === 'service') throw new CommandFailure(messages.simulate.noAuthoring);
  const sites: SimulatedSite[] = [];
  for (const { batch, rows, ports } of batches) {
    const work = (row: SiteRow) => simulateRow(ports, batch, row, context.signal);
    sites.push(...(await mapConcurrently(rows, options.concurrency ?? AT_ONCE, work)));
  }
  const read = sites.flatMap(({ simulation }) => (simulation === undefined ? [] : [simulation]));
  const isTruncated = read.some((simulation) => simulation.isTruncated || simulation.failures.size > 0);
  const code = read.length < sites.length ? 1 : read.some(isHarmful) ? 3 : isTruncated ? 4 : 0;
  return { code, json: { sites: sites.map(simulationJson) }, lines: sites.flatMap(simulationLines) };
}

interface SimulatedSite {
  readonly site: string;
  readonly simulation?: ReadSimulation;
  readonly problem?: string;
}

async function simulateRow(ports: SetupPorts, batch: Batch, row: SiteRow, signal: AbortSignal): Promise<SimulatedSite> {
  const { siteName: site } = row;
  const { organization } = batch;
  const found = await ports.service.siteConfigurations(organization, site);
  if (found.state === 'failed') throw notKnown(found);
  const current = found.state === 'known' ? found.value.config : undefined;
  const after = rowSite(batch, row, current).public.paths ?? {};
  const answer = await readSimulation(ports, { organization, siteName: site, current, after }, { signal });
  if (signal.aborted) throw new CommandFailure(messages.stopped);
  if (answer.state === 'known') return { site, simulation: answer.value };
  return { site, problem: answer.state === 'failed' ? failureLine(answer.failure) : messages.check.notRead };
}

function simulationJson({ site, simulation, problem }: SimulatedSite) {
  if (simulation === undefined) return { site, problem };
  const { counts, lostFolders, isTruncated, failures } = simulation;
  return { site, counts, lostFolders, isTruncated, unread: [...failures.keys()], pages: affectedPages(simulation) };
}

function simulationLines({ site, simulation, problem }: SimulatedSite): string[] {
  if (simulation === undefined) return [`${site}: ${problem ?? messages.check.notRead}`];
  const affected = affectedPages(simulation);
  const notes = affected.slice(0, MAX_LINES).map((page) => `  ${page.path}: ${pageSentence(english.simulation.simulation, page)}`);
  const more = affected.length > notes.length ? [`  ${messages.simulate.more(affected.length - notes.length)}`] : [];
  const remarks = simulationRemarks(english.simulation.simulation, simulation, failureLine).map((sentence) => `  ${sentence}`);
  return [`${site}: ${simulationSummary(english.simulation.simulation, simulation)}`, ...notes, ...more, ...remarks];
}

/** Pages of a site that are listed as lines; JSON has all. */
const MAX_LINES = 100;
