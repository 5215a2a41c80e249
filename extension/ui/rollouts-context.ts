import { createContext } from 'react';
import type { RolloutsPort } from '@repoless/core/rollouts/rollouts-port.ts';

export interface RolloutsPlace {
  readonly port: RolloutsPort;
  /** A rollout was started: it is shown. */
  started(id: string): void;
  /** Shows all of them. */
  list(): void;
}

/** Where many sites are changed together; undefined where nobody can. */
export const RolloutsContext = createContext<RolloutsPlace | undefined>(undefined);
