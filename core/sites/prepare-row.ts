import { type EdgeConfiguration, pathsUpwards } from '@repoless/contract/authoring.ts';
import type { VersionList } from '@repoless/contract/history.ts';
import type { Pace } from '../run/retry.ts';
import { type Failure, failureOf, firstFailure, type Known } from '../situation/call.ts';
import type { NodeLock, SetupPorts } from '../situation/ports.ts';
import { planRow, type RowPlan, type RowSituation } from './plan-row.ts';
import type { RowGates } from './row-gate.ts';
import { gateProblem, problemOf, rowProblem } from './row-problems.ts';
import { authorOfRow } from './row-site.ts';
import type { Batch, PlannedStep, RowProblem, SiteRow } from './rows.ts';

/**
 * Reads a row, plans it, and checks whether its writes in the authoring system are possible: review and run share this, so that a row is
 * refused before its first write. Workflows, listeners and validation of the authoring system cannot be checked beforehand.
 */
export async function prepareRow(reading: Reading, row: SiteRow): Promise<RowPlan> {
  const plan = planRow(reading.batch, row, await readRow(reading, row));
  if (plan.kind === 'blocked') return plan;
  const { gates, signal, onWaiting } = reading;
  const source = await gates.source(row, { signal, onWaiting }, plan.outcome);
  if (source !== undefined) return { kind: 'blocked', problem: gateProblem('repository', source) };
  if (row.technicalAccount === '' && reading.reach === 'both')
    return { kind: 'blocked', problem: gateProblem('register-site', NO_PUBLISHER) };
  for (const step of plan.steps) {
    const problem = step.state.kind === 'done' ? undefined : await problemBefore(reading, row, step);
    if (problem !== undefined) return { kind: 'blocked', problem };
  }
  return plan;
}

/** The row's write lists its account among those who may publish; without one, publishing fails silently. */
const NO_PUBLISHER: Failure = { kind: 'refused', finding: { kind: 'blocked', reason: 'technical-account-missing', data: {} } };

async function problemBefore(reading: Reading, row: SiteRow, { id: step, call }: PlannedStep): Promise<RowProblem | undefined> {
  if (call?.target !== 'authoring') return undefined;
  const { access, onWaiting } = reading;
  if (step === 'configuration-page') {
    const problem = await pageProblem(reading, row.configurationPage ?? '');
    if (problem !== undefined) return problem;
  }
  const written = call.address.slice(authorOfRow(reading.batch, row).length).replace('_jcr_content', 'jcr:content');
  const obstacle = await access.obstacle(step === 'configuration-page' ? parentOf(row.configurationPage ?? '') : written, onWaiting);
  switch (obstacle?.kind) {
    case undefined:
      return undefined;
    case 'failed':
      return problemOf(step, obstacle.failure);
    case 'locked':
      return rowProblem(step, 'locked', { path: obstacle.path.replace('/jcr:content', ''), by: obstacle.by });
    case 'not-writable':
      return rowProblem(step, 'not-writable', { path: obstacle.path.replace('/jcr:content', '') });
    default:
      return obstacle satisfies never;
  }
}

/** A page is created below an existing one, under a name that the authoring system doesn't change. */
async function pageProblem({ access, onWaiting }: Reading, path: string): Promise<RowProblem | undefined> {
  const step = 'configuration-page';
  const parent = parentOf(path);
  if (!/^[a-z0-9_-]+$/.test(path.slice(parent.length + 1))) return rowProblem(step, 'configuration-page-name', { path });
  if (!parent.startsWith('/content/')) return rowProblem(step, 'configuration-page-parent', { path, parent });
  const [above, itself] = await Promise.all([access.exists(parent, onWaiting), access.exists(path, onWaiting)]);
  const unread = firstFailure(above, itself);
  if (unread !== undefined) return problemOf(step, unread);
  if (above.state === 'known' && !above.value) return rowProblem(step, 'configuration-page-parent', { path, parent });
  // Something other than a page has the name: the authoring system would number the new page.
  return itself.state === 'known' && itself.value ? rowProblem(step, 'configuration-page-type', { path, resourceType: '' }) : undefined;
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
}

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

/** Why a write to the authoring system would fail, if that can be known beforehand. */
type WriteObstacle =
  | { readonly kind: 'locked'; readonly path: string; readonly by: string }
  | { readonly kind: 'not-writable'; readonly path: string }
  | { readonly kind: 'failed'; readonly failure: Failure };

interface WriteAccess {
  /** Returns undefined if a node there can be changed or created. */
  obstacle(path: string, onWaiting: (attempt: number) => void): Promise<WriteObstacle | undefined>;
  /** Whether a node exists, whether or not it is a page. */
  exists(path: string, onWaiting: (attempt: number) => void): Promise<Known<boolean>>;
}

/**
 * Checks which nodes the sites of a run may write, each node once: many sites share ancestors. Reads locks and permissions; if the
 * authoring system doesn't report permissions, the run finds out.
 */
export function createWriteAccess({ authoring }: Pick<SetupPorts, 'authoring'>, pace: Pace, caller: string): WriteAccess {
  const locks = new Map<string, Promise<Known<NodeLock>>>();
  const permissions = new Map<string, Promise<Known<boolean>>>();
  let ready: Promise<Known<unknown>> | undefined;
  const lockOf = (path: string, onWaiting: (attempt: number) => void) =>
    cached(locks, path, () => pace.call(() => authoring.lock(path), onWaiting));
  return {
    exists: async (path, onWaiting) => {
      const lock = await lockOf(path, onWaiting);
      return lock.state === 'failed' ? lock : { state: 'known', value: lock.state === 'known' };
    },
    obstacle: async (path, onWaiting) => {
      ready ??= pace.call(() => authoring.readyToWrite(), onWaiting);
      const paths = pathsUpwards(path);
      const [taken, ...nodes] = await Promise.all([ready, ...paths.map((at) => lockOf(at, onWaiting))]);
      if (taken.state !== 'known') return { kind: 'failed', failure: failureOf(taken) };
      let nearest: string | undefined;
      for (const [index, node] of nodes.entries()) {
        const at = paths[index] ?? path;
        if (node.state === 'failed') return { kind: 'failed', failure: node.failure };
        if (node.state === 'missing') continue;
        const { owner, isDeep } = node.value;
        const holds = nearest === undefined || isDeep;
        if (owner !== undefined && holds && owner.toLowerCase() !== caller.toLowerCase()) return { kind: 'locked', path: at, by: owner };
        nearest ??= at;
      }
      const nearestPage = nearest ?? `/${path.split('/')[1] ?? ''}`;
      const may = await cached(permissions, nearestPage, () => pace.call(() => authoring.mayWrite(nearestPage), onWaiting));
      if (may.state === 'failed') return { kind: 'failed', failure: may.failure };
      return may.state === 'known' && !may.value ? { kind: 'not-writable', path } : undefined;
    },
  };
}

function cached<T>(cache: Map<string, Promise<T>>, key: string, work: () => Promise<T>): Promise<T> {
  const known = cache.get(key) ?? work();
  cache.set(key, known);
  return known;
}
