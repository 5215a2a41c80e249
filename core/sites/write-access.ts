import type { NodeLock, SetupPorts } from '../plan/ports.ts';
import { failureOf } from '../run/failure-of.ts';
import type { Failure, Known } from '../situation/situation.ts';
import type { Pace } from './pace.ts';

/** Why a write to the authoring system would fail, as far as it can be known beforehand. */
export type WriteObstacle =
  | { readonly kind: 'locked'; readonly path: string; readonly by: string }
  | { readonly kind: 'not-writable'; readonly path: string }
  | { readonly kind: 'failed'; readonly failure: Failure };

export interface WriteAccess {
  /** Out: undefined where a node there can be changed, or made. */
  obstacle(path: string, onWaiting: (attempt: number) => void): Promise<WriteObstacle | undefined>;
  /** Whether there is a node, a page or anything else. */
  exists(path: string, onWaiting: (attempt: number) => void): Promise<Known<boolean>>;
}

/**
 * Checks which nodes the sites of a run may write, each node once: many sites share ancestors. Reads locks and permissions; if the authoring
 * system doesn't report permissions, the run finds out.
 */
export function createWriteAccess({ authoring }: Pick<SetupPorts, 'authoring'>, pace: Pace, caller: () => Promise<string>): WriteAccess {
  const locks = new Map<string, Promise<Known<NodeLock>>>();
  const permissions = new Map<string, Promise<Known<boolean>>>();
  let ready: Promise<Known<unknown>> | undefined;
  const lockOf = (path: string, onWaiting: (attempt: number) => void) =>
    once(locks, path, () => pace.call(() => authoring.lock(path), onWaiting));
  return {
    exists: async (path, onWaiting) => {
      const lock = await lockOf(path, onWaiting);
      return lock.state === 'failed' ? lock : { state: 'known', value: lock.state === 'known' };
    },
    obstacle: async (path, onWaiting) => {
      ready ??= pace.call(() => authoring.readyToWrite(), onWaiting);
      const paths = upwards(path);
      const [taken, person, ...nodes] = await Promise.all([ready, caller(), ...paths.map((at) => lockOf(at, onWaiting))]);
      if (taken.state !== 'known') return { kind: 'failed', failure: failureOf(taken) };
      let nearest: string | undefined;
      for (const [index, node] of nodes.entries()) {
        const at = paths[index] ?? path;
        if (node.state === 'failed') return { kind: 'failed', failure: node.failure };
        if (node.state === 'missing') continue;
        const { owner, isDeep } = node.value;
        const holds = nearest === undefined || isDeep;
        if (owner !== undefined && holds && owner.toLowerCase() !== person.toLowerCase()) return { kind: 'locked', path: at, by: owner };
        nearest ??= at;
      }
      const asked = nearest ?? `/${path.split('/')[1] ?? ''}`;
      const may = await once(permissions, asked, () => pace.call(() => authoring.mayWrite(asked), onWaiting));
      if (may.state === 'failed') return { kind: 'failed', failure: may.failure };
      return may.state === 'known' && !may.value ? { kind: 'not-writable', path } : undefined;
    },
  };
}

function once<T>(held: Map<string, Promise<T>>, key: string, work: () => Promise<T>): Promise<T> {
  const known = held.get(key) ?? work();
  held.set(key, known);
  return known;
}

/** `/content/a/b` → itself, `/content/a`. */
function upwards(path: string): string[] {
  const segments = path.split('/').slice(1);
  return segments.slice(1).map((_segment, index) => `/${segments.slice(0, segments.length - index).join('/')}`);
}
