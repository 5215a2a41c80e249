import type { EdgeConfiguration } from '@repoless/contract/authoring.ts';
import type { VersionList } from '@repoless/contract/history.ts';
import type { Pace } from '../run/retry.ts';
import { firstObstacle, type WriteAccess } from './write-access.ts';
import type { Failure, Known } from '../situation/call.ts';
import type { SetupPorts } from '../situation/ports.ts';
import { planRow, type RowPlan, type RowSituation } from './plan-row.ts';
import type { RowGates } from './row-gate.ts';
import { gateProblem, obstacleProblem } from './row-problems.ts';
import type { Batch, SiteRow } from './rows.ts';

/**
 * Reads a row, plans it, and checks whether its writes in the authoring system are possible: review and run share this, so that a row is
 * refused before its first write.
 */
export async function prepareRow(reading: Reading, row: SiteRow): Promise<RowPlan> {
  const plan = planRow(reading.batch, row, await readRow(reading, row));
  if (plan.kind === 'blocked') return plan;
  const { gates, signal, onWaiting } = reading;
  const source = await gates.source(row, { signal, onWaiting }, plan.outcome);
  if (source !== undefined) return { kind: 'blocked', problem: gateProblem('repository', source) };
  if (row.technicalAccount === '' && reading.reach === 'both')
    return { kind: 'blocked', problem: gateProblem('register-site', NO_PUBLISHER) };
  const found = await firstObstacle(reading.access, plan.steps, (work) => reading.pace.call(work, onWaiting));
  return found === undefined ? plan : { kind: 'blocked', problem: obstacleProblem(found.step, found.obstacle) };
}

/** The row's write lists its account among those who may publish; without one, publishing fails silently. */
const NO_PUBLISHER: Failure = { kind: 'refused', finding: { kind: 'blocked', reason: 'technical-account-missing', data: {} } };

export interface Reading {
  readonly ports: SetupPorts;
  readonly batch: Batch;
  readonly pace: Pace;
  readonly reach: Reach;
  readonly readBy: string;
  /** The base site's Edge Delivery configuration, read once for all rows. */
  readonly baseEdge: Known<EdgeConfiguration> | undefined;
  readonly access: WriteAccess;
  readonly gates: RowGates;
  readonly signal: AbortSignal;
  /** False if the site is known not to exist yet, so that it need not be read. */
  mayExist(siteName: string): boolean;
  onWaiting(attempt: number): void;
}

/** `service`: only the service's sites; the authoring system is neither read nor written. */
export type Reach = 'both' | 'service';

/** Reads the current state of a row: one to five calls, nearly all concurrent. */
async function readRow(reading: Reading, row: SiteRow): Promise<RowSituation> {
  const { ports, batch, pace, onWaiting } = reading;
  const site = () => ports.service.siteConfigurations(batch.organization, row.siteName);
  const [found, authoring] = await Promise.all([
    reading.mayExist(row.siteName) ? pace.call(site, onWaiting) : ({ state: 'missing' } as const),
    reading.reach === 'both' ? readAuthoring(reading, row) : undefined,
  ]);
  const version =
    found.state === 'known' && authoring?.edge?.state === 'known' ? await versionToKeep(reading, row, authoring.edge.value) : undefined;
  return {
    site: found,
    ...(version === undefined ? {} : { version }),
    readAt: ports.now().toISOString(),
    readBy: reading.readBy,
    ...(authoring === undefined ? {} : { authoring }),
  };
}

async function readAuthoring({ ports, pace, onWaiting, baseEdge }: Reading, row: SiteRow) {
  const { configurationPage, cloudConfiguration } = row;
  const [page, sheet, edge] = await Promise.all([
    pace.call(() => ports.authoring.content(row.contentRoot), onWaiting),
    configurationPage === undefined ? undefined : pace.call(() => ports.authoring.page(configurationPage), onWaiting),
    cloudConfiguration === undefined ? undefined : pace.call(() => ports.authoring.edgeConfiguration(cloudConfiguration), onWaiting),
  ]);
  return { page, configurationPage: sheet, edge, baseEdge };
}

async function versionToKeep(
  { ports, batch, pace, onWaiting }: Reading,
  row: SiteRow,
  edge: EdgeConfiguration,
): Promise<number | undefined> {
  if (edge.owner === batch.organization && edge.repo === row.siteName && edge.projectType === batch.info.repolessProjectType)
    return undefined;
  const versions = await pace.call(() => ports.service.versions(batch.organization, row.siteName), onWaiting);
  return versions.state === 'known' ? versions.value.current : undefined;
}

/** Who stored the latest version of a site, as far as the service knows. */
export function latestAuthor(list: Known<VersionList>): { readonly by?: string } {
  if (list.state !== 'known') return {};
  const latest = list.value.versions.toSorted((one, other) => other.version - one.version)[0]?.user;
  return latest === undefined ? {} : { by: latest };
}
