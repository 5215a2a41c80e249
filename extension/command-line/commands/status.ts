import { contentRoot } from '#contract/mappings.ts';
import { rowAddresses, rowDifference } from '#extension/setup/sites/row-site.ts';
import { eachBounded } from '#extension/setup/sites/each-bounded.ts';
import { AT_ONCE } from '#extension/setup/sites/apply-rows.ts';
import type { Batch, SiteRow } from '#extension/setup/sites/rows.ts';
import type { SetupPorts } from '#extension/setup/ports.ts';
import { commandLine as words } from '#extension/words/en/command-line.ts';
import type { Options } from '../arguments.ts';
import { notKnown } from '../explain.ts';
import { prepare } from '../prepare.ts';
import type { CommandResult, CommandSurroundings } from '../surroundings.ts';

/** Says which sites of the file are registered, and in which parts they differ from it. */
export async function status(surroundings: CommandSurroundings, options: Options): Promise<CommandResult> {
  const { batches } = await prepare(surroundings, options);
  const sites: SiteStatus[] = [];
  for (const { batch, rows, ports } of batches) {
    sites.push(...(await eachBounded(rows, options.concurrency ?? AT_ONCE, (row) => statusOf(ports, batch, row))));
  }
  const count = (state: SiteStatus['state']) => sites.filter((site) => site.state === state).length;
  const summary = { registered: count('registered'), differs: count('differs'), missing: count('missing') };
  const lines = sites.map(
    ({ site, state, differs, live }) => `${site}: ${words.status[state]}${differs.length === 0 ? '' : ` (${differs.join(', ')})`}  ${live}`,
  );
  const last = words.status.summary(summary.registered, summary.differs, summary.missing);
  return { code: 0, json: { summary, sites }, lines: [...lines, last] };
}

interface SiteStatus {
  readonly site: string;
  readonly state: 'registered' | 'differs' | 'missing';
  /** The parts that differ. */
  readonly differs: readonly string[];
  readonly contentRoot: string;
  readonly lastModified?: string;
  readonly preview: string;
  readonly live: string;
}

async function statusOf(ports: SetupPorts, batch: Batch, row: SiteRow): Promise<SiteStatus> {
  const found = await ports.service.configuration(batch.organization, row.siteName);
  if (found.state === 'failed') throw notKnown(found);
  const { preview, live } = rowAddresses(batch, row);
  const place = { site: row.siteName, contentRoot: row.contentRoot, preview, live };
  if (found.state === 'missing') return { ...place, state: 'missing', differs: [] };
  const { config } = found.value;
  const differs = rowDifference(batch, row, config);
  return {
    ...place,
    contentRoot: contentRoot(config.public?.paths?.mappings ?? []) ?? row.contentRoot,
    state: differs.length === 0 ? 'registered' : 'differs',
    differs,
    lastModified: config.lastModified,
  };
}
