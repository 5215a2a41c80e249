import { contentRoot } from '@repoless/contract/mappings.ts';
import type { SiteState } from '@repoless/contract/site-check.ts';
import { createChecksPort } from '@repoless/core/api/organization-ports.ts';
import { siteState } from '@repoless/core/checks/site-state.ts';
import { isComplete } from '@repoless/core/sites/organization-sites.ts';
import { commandLine as messages } from '@repoless/core/messages/en/command-line.ts';
import { english } from '@repoless/core/messages/english.ts';
import type { ChecksPort } from '@repoless/core/overview/stored-checks.ts';
import type { SetupPorts } from '@repoless/core/situation/ports.ts';
import { AT_ONCE, createPace, mapConcurrently, type Pace } from '@repoless/core/run/retry.ts';
import { rowAddresses, rowDifference } from '@repoless/core/sites/row-site.ts';
import type { Batch, SiteRow } from '@repoless/core/sites/rows.ts';
import type { CliContext, CommandResult, Options } from '../cli-context.ts';
import { failureLine } from '../explain.ts';
import { prepare } from '../prepare.ts';

/** Reports which sites of the file are registered, and which of their parts differ from it. 0: all were read; 1: some could not be. */
export async function status(context: CliContext, options: Options): Promise<CommandResult> {
  const { batches, sites: listed, connection } = await prepare(context, options);
  // Callers who may not list the sites get the same answer for a missing site and for one without a role for them.
  const seesAll = listed !== undefined;
  const pace = createPace(context, context.signal);
  const checks = createChecksPort(connection.client);
  const sites: SiteStatus[] = [];
  for (const { batch, rows, ports } of batches) {
    sites.push(
      ...(await mapConcurrently(rows, options.concurrency ?? AT_ONCE, (row) => statusOf({ ports, checks, pace, seesAll }, batch, row))),
    );
  }
  const count = (state: SiteStatus['state']) => sites.filter((site) => site.state === state).length;
  const summary = { registered: count('registered'), differs: count('differs'), missing: count('missing'), unread: count('unread') };
  const lines = sites.map((site) => lineOf(site, seesAll));
  return { code: summary.unread > 0 ? 1 : 0, json: { summary, sites }, lines: [...lines, messages.status.summary(summary, seesAll)] };
}

function lineOf({ site, state, siteState: known, differs, live, problem }: SiteStatus, seesAll: boolean): string {
  if (state === 'unread') return `${site}: ${messages.status[state]}: ${problem ?? ''}`;
  if (state === 'missing') return `${site}: ${seesAll ? english['first-view'].siteStates[known] : messages.status.missing}  ${live}`;
  const file = `${messages.status[state]}${differs.length === 0 ? '' : ` (${differs.join(', ')})`}`;
  return `${site}: ${[english['first-view'].siteStates[known], file].join(', ')}  ${live}`;
}

interface SiteStatus {
  readonly site: string;
  /** `missing`: it does not exist, or the caller, who may not list the sites, has no role on it. */
  readonly state: 'registered' | 'differs' | 'missing' | 'unread';
  /** The state of the site as on every screen, as far as it was checked. */
  readonly siteState: SiteState;
  readonly problem?: string;
  readonly differs: readonly string[];
  readonly contentRoot: string;
  readonly lastModified?: string;
  readonly preview: string;
  readonly live: string;
}

interface Reading {
  readonly ports: SetupPorts;
  readonly checks: Pick<ChecksPort, 'site'>;
  readonly pace: Pace;
  readonly seesAll: boolean;
}

async function statusOf({ ports, checks, pace, seesAll }: Reading, batch: Batch, row: SiteRow): Promise<SiteStatus> {
  const found = await pace.call(
    () => ports.service.siteConfigurations(batch.organization, row.siteName),
    () => undefined,
  );
  const { preview, live } = rowAddresses(batch, row);
  const common = { site: row.siteName, contentRoot: row.contentRoot, preview, live };
  const unknown = siteState({ registered: undefined });
  if (found.state === 'failed') return { ...common, state: 'unread', siteState: unknown, problem: failureLine(found.failure), differs: [] };
  if (found.state === 'missing')
    return { ...common, state: 'missing', siteState: seesAll ? siteState({ registered: false }) : unknown, differs: [] };
  const { config } = found.value;
  const differs = rowDifference(batch, row, config);
  const stored = await checks.site(batch.organization, row.siteName);
  return {
    ...common,
    contentRoot: contentRoot(config.public?.paths?.mappings ?? []) ?? row.contentRoot,
    state: differs.length === 0 ? 'registered' : 'differs',
    siteState: stored.state === 'known' ? stored.value.state : siteState({ registered: true, complete: isComplete(config) }),
    differs,
    lastModified: config.lastModified,
  };
}
