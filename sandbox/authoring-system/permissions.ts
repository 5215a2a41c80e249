import type { Environment } from './environments.ts';

export type Permission = 'read' | 'write';

/** The authoring system's own access list; it knows nothing of the service's roles. A technical account reads in its environment. */
export function isAllowed(email: string, permission: Permission, environment: Environment): boolean {
  if (WRITERS.has(email)) return true;
  if (permission === 'write') return false;
  return READERS.has(email) || email === environment.technicalAccount;
}

const WRITERS: ReadonlySet<string> = new Set(['ada.admin@example.com', 'otto.org@example.com', 'carl.config@example.com']);
const READERS: ReadonlySet<string> = new Set(['nora.neighbour@example.com']);
