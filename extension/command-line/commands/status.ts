import { contentRoot } from '#contract/mappings.ts';
import { rowAddresses, rowDifference } from '#extension/setup/sites/row-site.ts';
import { isComplete, siteState } from '#extension/setup/site-state.ts';
import type { SiteState } from '#contract/site-check.ts';
import { eachBounded } from '#extension/setup/sites/each-bounded.ts';
import { AT_ONCE } from '#extension/setup/sites/apply-rows.ts';
import type { Batch, SiteRow } from '#extension/setup/sites/rows.ts';
import type { SetupPorts } from '#extension/setup/ports.ts';
import { commandLine as messages } from '#extension/messages/en/command-line.ts';
import { siteStates } from '#extension/messages/en/site-states.ts';
import type { Options } from '../arguments.ts';
import { notKnown } from '../explain.ts';
import { prepare } from '../prepare.ts';
import type { CommandResult, CliContext } from '../cli-context.ts';

/** Says which sites of the file are registered, and in which parts they differ from it. */
export async function status(context: CliContext, options: Options): Promise<CommandResult> {
  const { batches } = await prepare(context, options);
  const sites: SiteStatus[] = [];
  for (const { batch, rows, ports } of batches) {
    sites.push(...(await eachBounded(rows, options.concurrency ?? AT_ONCE, (row) => statusOf(ports, batch, row))));
  }
  const count = (state: SiteStatus['state']) => sites.filter((site) => site.state === state).length;
  const summary = { registered: count('registered'), differs: count('differs'), missing: count('missing') };
  const lines = sites.map(({ site, state, siteState: known, differs, live }) => {
    const file = state === 'missing' ? [] : [`${messages.status[state]}${differs.length === 0 ? '' : ` (${differs.join(', ')})`}`];
    return `${site}: ${[siteStates[known], ...file].join(', ')}  ${live}`;
  });
  const last = messages.status.summary(summary.registered, summary.differs, summary.missing);
  return { code: 0, json: { summary, sites }, lines: [...lines, last] };
}

interface SiteStatus {
  readonly site: string;
  readonly state: 'registered' | 'differs' | 'missing';
  /** The state of the site as every screen says it, as far as the service alone knows it. */
  readonly siteState: SiteState;
  /** The parts that differ. */
  readonly differs: readonly string[];
  readonly contentRoot: string;
  readonly lastModified?: string;
  readonly preview: string;
  readonly live: string;
}

async function statusOf(ports: SetupPorts, batch: Batch, row: SiteRow): Promise<SiteStatus> {
  const found = await ports.service.held(batch.organization, row.siteName);
  if (found.state === 'failed') throw notKnown(found);
  const { preview, live } = rowAddresses(batch, row);
  const place = { site: row.siteName, contentRoot: row.contentRoot, preview, live };
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
