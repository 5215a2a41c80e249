import { readSimulation, type ReadSimulation } from '@repoless/core/mappings/read-simulation.ts';
import { isHarmful } from '@repoless/core/mappings/simulate-mappings.ts';
import { commandLine as messages } from '@repoless/core/messages/en/command-line.ts';
import { english } from '@repoless/core/messages/english.ts';
import { affectedPages, pageSentence, simulationRemarks, simulationSummary } from '@repoless/core/messages/simulation-sentences.ts';
import type { SetupPorts } from '@repoless/core/situation/ports.ts';
import { eachBounded } from '@repoless/core/run/retry.ts';
import { rowSite } from '@repoless/core/sites/row-site.ts';
import type { Batch, SiteRow } from '@repoless/core/sites/rows.ts';
import { type CliContext, CommandFailure, type CommandResult, type Options } from '../cli-context.ts';
import { failureLine, notKnown } from '../explain.ts';
import { prepare } from '../prepare.ts';

/** Sites read concurrently: each in turn reads several pages concurrently. */
const AT_ONCE = 2;
/** Pages of a site that are listed as lines; JSON has all. */
const MOST_LINES = 100;

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
    sites.push(...(await eachBounded(rows, options.concurrency ?? AT_ONCE, work)));
  }
  const read = sites.flatMap(({ simulation }) => (simulation === undefined ? [] : [simulation]));
  const isTruncated = read.some((simulation) => simulation.isTruncated || simulation.failures.size > 0);
  const code = read.length < sites.length ? 1 : read.some(isHarmful) ? 3 : isTruncated ? 4 : 0;
  return { code, json: { sites: sites.map(jsonOf) }, lines: sites.flatMap(linesOf) };
}

interface SimulatedSite {
  readonly site: string;
  readonly simulation?: ReadSimulation;
  readonly problem?: string;
}

async function simulateRow(ports: SetupPorts, batch: Batch, row: SiteRow, signal: AbortSignal): Promise<SimulatedSite> {
  const { siteName: site } = row;
  const { organization } = batch;
  const found = await ports.service.held(organization, site);
  if (found.state === 'failed') throw notKnown(found);
  const present = found.state === 'known' ? found.value.config : undefined;
  const after = rowSite(batch, row, present).public.paths ?? {};
  const answer = await readSimulation(ports, { organization, siteName: site, present, after }, { signal });
  if (signal.aborted) throw new CommandFailure(messages.stopped);
  if (answer.state === 'known') return { site, simulation: answer.value };
  return { site, problem: answer.state === 'failed' ? failureLine(answer.failure) : messages.check.notRead };
}

function jsonOf({ site, simulation, problem }: SimulatedSite) {
  if (simulation === undefined) return { site, problem };
  const { counts, lostFolders, isTruncated, failures } = simulation;
  return { site, counts, lostFolders, isTruncated, unread: [...failures.keys()], pages: affectedPages(simulation) };
}

function linesOf({ site, simulation, problem }: SimulatedSite): string[] {
  if (simulation === undefined) return [`${site}: ${problem ?? messages.check.notRead}`];
  const affected = affectedPages(simulation);
  const told = affected.slice(0, MOST_LINES).map((page) => `  ${page.path}: ${pageSentence(english.simulation.simulation, page)}`);
  const more = affected.length > told.length ? [`  ${messages.simulate.more(affected.length - told.length)}`] : [];
  const remarks = simulationRemarks(english.simulation.simulation, simulation, failureLine).map((sentence) => `  ${sentence}`);
  return [`${site}: ${simulationSummary(english.simulation.simulation, simulation)}`, ...told, ...more, ...remarks];
}
