import { pathsUpwards } from '@repoless/contract/authoring.ts';
import type { Step } from '../plan/plan.ts';
import { type Call, type Failure, failureOf, firstFailure, type Known, type ObstacleReason } from '../situation/call.ts';
import { subjectOf } from '../situation/edge-configuration.ts';
import type { NodeLock, SetupPorts } from '../situation/ports.ts';
import { isTransient } from '../run/retry.ts';
import type { WithRetry } from '../run/take-step.ts';

/** Why a write to the authoring system would fail, if that can be known beforehand; or why it is unknown. */
export type WriteObstacle =
  | { readonly kind: 'obstacle'; readonly reason: ObstacleReason; readonly data: Readonly<Record<string, string>> }
  | { readonly kind: 'failed'; readonly failure: Failure };

export function obstacleFailure(obstacle: WriteObstacle): Failure {
  return obstacle.kind === 'failed' ? obstacle.failure : { kind: 'refused', system: 'authoring', finding: obstacle };
}

export interface WriteAccess {
  /** Returns undefined if the authoring system would accept the call, as far as it reports that. */
  obstacle(call: Call, withRetry: WithRetry): Promise<WriteObstacle | undefined>;
}

/**
 * The first open step whose write to the authoring system would fail, and why: a plan with such a step is refused before its first write.
 * `isWritten`: whether the step still writes anything, requested only if it would fail.
 * Workflows, listeners and validation of the authoring system cannot be checked beforehand.
 */
export async function firstObstacle<Id extends string>(
  access: WriteAccess,
  steps: readonly Step<Id>[],
  withRetry: WithRetry,
  isWritten: (step: Id) => Promise<boolean> = async () => true,
): Promise<{ readonly step: Id; readonly obstacle: WriteObstacle } | undefined> {
  const writes = steps.flatMap(({ id, state, call, further = [] }) =>
    state.kind === 'done' || call === undefined ? [] : [call, ...further].map((each) => ({ step: id, call: each })),
  );
  const obstacles = await Promise.all(writes.map(({ call }) => access.obstacle(call, withRetry)));
  for (const [index, { step }] of writes.entries()) {
    const obstacle = obstacles[index];
    if (obstacle === undefined) continue;
    // An unreachable system cannot say whether the step still writes, and each further read would wait for it again.
    const isUnreachable = obstacle.kind === 'failed' && isTransient(obstacle.failure);
    if (isUnreachable || (await isWritten(step))) return { step, obstacle };
  }
  return undefined;
}

/**
 * Checks which nodes a run may write, each node once: many sites share ancestors. Reads locks and permissions of the caller, who is named
 * by their e-mail address; if the authoring system doesn't report permissions, the run finds out.
 */
export function createWriteAccess({ authoring }: Pick<SetupPorts, 'authoring'>, caller: string): WriteAccess {
  const locks = new Map<string, Promise<Known<NodeLock>>>();
  const permissions = new Map<string, Promise<Known<boolean>>>();
  let ready: Promise<Known<unknown>> | undefined;
  const lockOf = (path: string, withRetry: WithRetry) => cached(locks, path, () => withRetry(() => authoring.lock(path)));

  const obstacleAt = async (path: string, withRetry: WithRetry): Promise<WriteObstacle | undefined> => {
    ready ??= withRetry(() => authoring.readyToWrite());
    const paths = pathsUpwards(path);
    const [readiness, ...nodes] = await Promise.all([ready, ...paths.map((at) => lockOf(at, withRetry))]);
    if (readiness.state !== 'known') return { kind: 'failed', failure: failureOf(readiness) };
    let nearest: string | undefined;
    for (const [index, node] of nodes.entries()) {
      const at = paths[index] ?? path;
      if (node.state === 'failed') return { kind: 'failed', failure: node.failure };
      if (node.state === 'missing') continue;
      const { owner, isDeep } = node.value;
      const holds = nearest === undefined || isDeep;
      if (owner !== undefined && holds && owner.toLowerCase() !== caller.toLowerCase())
        return obstacle('locked', { path: pageOf(at), by: owner });
      nearest ??= at;
    }
    const nearestPage = nearest ?? `/${path.split('/')[1] ?? ''}`;
    const may = await cached(permissions, nearestPage, () => withRetry(() => authoring.mayWrite(nearestPage)));
    if (may.state === 'failed') return { kind: 'failed', failure: may.failure };
    return may.state === 'known' && !may.value ? obstacle('not-writable', { path: pageOf(path) }) : undefined;
  };

  /** A page is created below an existing one, under a name that the authoring system doesn't change. */
  const obstacleToPage = async (path: string, withRetry: WithRetry): Promise<WriteObstacle | undefined> => {
    const parent = parentOf(path);
    if (!/^[a-z0-9_-]+$/.test(path.slice(parent.length + 1))) return obstacle('configuration-page-name', { path });
    if (!parent.startsWith('/content/')) return obstacle('configuration-page-parent', { path, parent });
    const [above, itself] = await Promise.all([lockOf(parent, withRetry), lockOf(path, withRetry)]);
    const unread = firstFailure(above, itself);
    if (unread !== undefined) return { kind: 'failed', failure: unread };
    if (above.state === 'missing') return obstacle('configuration-page-parent', { path, parent });
    // A page that was created a moment ago is looked up again before the write.
    const page = itself.state === 'known' ? await withRetry(() => authoring.page(path)) : undefined;
    if (page?.state === 'failed') return { kind: 'failed', failure: page.failure };
    // Something other than a page has the name: the authoring system would number the new page.
    if (page?.state === 'missing') return obstacle('configuration-page-type', { path, resourceType: '' });
    return obstacleAt(parent, withRetry);
  };

  return {
    obstacle: async (call, withRetry) => {
      if (call.target !== 'authoring') return undefined;
      const { creates } = subjectOf(call);
      if (creates !== undefined) return obstacleToPage(creates, withRetry);
      return obstacleAt(pathOf(call), withRetry);
    },
  };
}

function obstacle(reason: ObstacleReason, data: Readonly<Record<string, string>>): WriteObstacle {
  return { kind: 'obstacle', reason, data };
}

function pathOf({ address }: Call): string {
  return address.slice(new URL(address).origin.length).replace(/\/_jcr_content$/, '/jcr:content');
}

/** The page of its content node, by which an author knows it. */
function pageOf(path: string): string {
  return path.replace('/jcr:content', '');
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
}

function cached<T>(cache: Map<string, Promise<T>>, key: string, work: () => Promise<T>): Promise<T> {
  const known = cache.get(key) ?? work();
  cache.set(key, known);
  return known;
}
