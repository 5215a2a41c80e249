import { obstacleTo } from './access-control.ts';
import type { ReadableTree } from './content-store.ts';

/** Who writes and when, for `jcr:created` and its kin. */
export interface Writer {
  readonly email: string;
  /** As the content tree keeps dates (shown-date.ts). */
  readonly at: string;
  /** Whether the authoring system's own list lets them write at all (permissions.ts). */
  readonly mayWrite: boolean;
}

/** Whether somebody may not change or make a resource, for its entries or a lock. */
export function isRefused(tree: ReadableTree, path: string, { email, mayWrite }: Writer): boolean {
  return !mayWrite || obstacleTo(tree, path, email) !== undefined;
}

/** A guard of this stand-in: Sling makes and removes resources everywhere. */
export function isReplaceable(path: string): boolean {
  return /^\/(content|conf)\/./.test(path);
}

/** The same for properties. */
export function isInReach(path: string): boolean {
  return /^\/(content|conf)(\/|$)/.test(path);
}
