import type { EdgeConfiguration } from '@repoless/contract/authoring.ts';
import { mapConcurrently } from '../run/retry.ts';
import type { Failure, Known } from '../situation/call.ts';
import type { AuthoringPort } from '../situation/ports.ts';
import type { ReadLevel } from './tree.ts';

/** Configurations that are read concurrently. */
const AT_ONCE = 8;

/**
 * Reads the level below a path: its pages, and the Edge Delivery configurations that they select themselves, each once.
 * If a configuration cannot be read, the node has no comparison but stays in the list.
 */
export async function readLevel(authoring: AuthoringPort, path: string): Promise<Known<ReadLevel>> {
  const children = await authoring.children(path);
  if (children.state !== 'known') return children;
  const confs = [...new Set(children.value.flatMap((page) => (page.ownConfiguration === undefined ? [] : [page.ownConfiguration])))];
  const answers = await mapConcurrently(confs, AT_ONCE, (conf) => authoring.edgeConfiguration(conf));
  const configurations = new Map<string, EdgeConfiguration>();
  const unread = new Set<string>();
  for (const [index, answer] of answers.entries()) {
    const conf = confs[index];
    if (conf !== undefined && answer.state === 'known') configurations.set(conf, answer.value);
    if (conf !== undefined && answer.state === 'failed') unread.add(conf);
  }
  return { state: 'known', value: { pages: children.value, configurations, ...(unread.size === 0 ? {} : { unread }) } };
}

/** Maximum number of levels that are read when everything below a node is requested. */
const MAX_LEVELS = 2_000;

export interface Descent {
  /** The levels by their parent path. */
  readonly levels: ReadonlyMap<string, ReadLevel>;
  readonly failures: ReadonlyMap<string, Failure>;
}

/**
 * Reads the levels below a path as deep as `isIncluded` decides, some concurrently, to choose a country with its locales without opening
 * each. Stops when the signal aborts.
 */
export async function readLevelsBelow(
  authoring: AuthoringPort,
  top: string,
  isIncluded: (path: string) => boolean,
  signal: AbortSignal,
): Promise<Descent> {
  const levels = new Map<string, ReadLevel>();
  const failures = new Map<string, Failure>();
  let open = [top];
  while (open.length > 0 && levels.size < MAX_LEVELS && !signal.aborted) {
    const answers = await mapConcurrently(open, AT_ONCE, (path) => readLevel(authoring, path));
    const next: string[] = [];
    for (const [index, answer] of answers.entries()) {
      const path = open[index] ?? '';
      if (answer.state === 'failed') failures.set(path, answer.failure);
      if (answer.state !== 'known') continue;
      levels.set(path, answer.value);
      next.push(...answer.value.pages.filter((page) => page.hasChildren && isIncluded(page.path)).map((page) => page.path));
    }
    open = next;
  }
  return { levels, failures };
}
