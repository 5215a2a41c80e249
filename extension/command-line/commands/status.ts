import { contentRoot } from '#contract/mappings.ts';
import { rowAddresses, rowDifference } from '#extension/setup/sites/row-site.ts';
import { isComplete, siteState } from '#extension/setup/site-state.ts';
import type { SiteState } from '#contract/site-check.ts';
import { eachBounded } from '#extension/setup/sites/each-bounded.ts';
import { AT_ONCE } from '#extension/setup/sites/apply-rows.ts';
import { createPace } from '#extension/setup/sites/pace.ts';
import type { Pace } from '#extension/setup/sites/pace.ts';
import type { Batch, SiteRow } from '#extension/setup/sites/rows.ts';
import type { SetupPorts } from '#extension/setup/ports.ts';
import { commandLine as messages } from '#extension/messages/en/command-line.ts';
import { siteStates } from '#extension/messages/en/site-states.ts';
import type { Options } from '../arguments.ts';
import { failureLine } from '../explain.ts';
import { prepare } from '../prepare.ts';
import type { CommandResult, CliContext } from '../cli-context.ts';

/** Says which sites of the file are registered, and in which parts they differ from it. 0: each was read; 1: some could not be. */
export async function status(context: CliContext, options: Options): Promise<CommandResult> {
  const { batches } = await prepare(context, options);
  const pace = createPace(context, context.signal);
  const sites: SiteStatus[] = [];
  for (const { batch, rows, ports } of batches) {
    sites.push(...(await eachBounded(rows, options.concurrency ?? AT_ONCE, (row) => statusOf(ports, pace, batch, row))));
  }
  const count = (state: SiteStatus['state']) => sites.filter((site) => site.state === state).length;
  const summary = { registered: count('registered'), differs: count('differs'), missing: count('missing'), unread: count('unread') };
  const lines = sites.map(lineOf);
  return { code: summary.unread > 0 ? 1 : 0, json: { summary, sites }, lines: [...lines, messages.status.summary(summary)] };
}

function lineOf({ site, state, siteState: known, differs, live, problem }: SiteStatus): string {
  if (known === undefined) return `${site}: ${messages.status[state]}: ${problem ?? ''}`;
  const file = state === 'missing' ? [] : [`${messages.status[state]}${differs.length === 0 ? '' : ` (${differs.join(', ')})`}`];
  return `${site}: ${[siteStates[known], ...file].join(', ')}  ${live}`;
}

interface SiteStatus {
  readonly site: string;
  readonly state: 'registered' | 'differs' | 'missing' | 'unread';
  /** The state of the site as every screen says it, as far as the service alone knows it; absent where it could not be read. */
  readonly siteState?: SiteState;
  /** Why it could not be read. */
  readonly problem?: string;
  /** The parts that differ. */
  readonly differs: readonly string[];
  readonly contentRoot: string;
  readonly lastModified?: string;
  readonly preview: string;
  readonly live: string;
}

async function statusOf(ports: SetupPorts, pace: Pace, batch: Batch, row: SiteRow): Promise<SiteStatus> {
  const found = await pace.call(
    () => ports.service.held(batch.organization, row.siteName),
    () => undefined,
  );
  const { preview, live } = rowAddresses(batch, row);
  const place = { site: row.siteName, contentRoot: row.contentRoot, preview, live };
  if (found.state === 'failed') return { ...place, state: 'unread', problem: failureLine(found.failure), differs: [] };
  if (found.state === 'missing') return { ...place, state: 'missing', siteState: siteState({ registered: false }), differs: [] };
  const { config } = found.value;
  const differs = rowDifference(batch, row, config);
  return {
    ...place,
    contentRoot: contentRoot(config.public?.paths?.mappings ?? []) ?? row.contentRoot,
    state: differs.length === 0 ? 'registered' : 'differs',
    siteState: siteState({ registered: true, complete: isComplete(config) }),
    differs,
    lastModified: config.lastModified,
  };
}
