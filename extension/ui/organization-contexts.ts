import type { ChecksPort } from '@repoless/core/overview/stored-checks.ts';
import type { RemovalPort, ServicePort, SetupPorts } from '@repoless/core/plan/ports.ts';
import type { RolloutsPort } from '@repoless/core/rollouts/rollouts-port.ts';
import type { Environment } from '@repoless/core/sites/environments.ts';
import { createContext } from 'react';

const missing = async () => ({ state: 'missing' }) as const;

/** Where checks are kept; nowhere until a view of many sites says so. */
export const ChecksContext = createContext<ChecksPort>({ all: missing, start: missing, site: missing, activity: missing, keep: missing });

/** Who is signed in, and where they have a role. */
export const CallerContext = createContext<Pick<ServicePort, 'profile' | 'organizations'>>({ profile: missing, organizations: missing });

/** What is deleted together with a site; absent where nobody can read that. */
export const RemovalContext = createContext<RemovalPort | undefined>(undefined);

export interface RolloutsPlace {
  readonly port: RolloutsPort;
  /** A rollout was started: it is shown. */
  started(id: string): void;
  /** Shows all of them. */
  list(): void;
}

/** Where many sites are changed together; undefined where nobody can. */
export const RolloutsContext = createContext<RolloutsPlace | undefined>(undefined);

/** The authoring environment whose pages are chosen. */
export interface Place {
  /** Scheme and host of the author. */
  readonly author: string;
  readonly ports: SetupPorts;
  /** A page of it; the tree opens there. */
  readonly page: string;
  /** Empty where the environment shows none. */
  readonly technicalAccount: string;
  /** This one and those that are known besides: an account of another one is refused. */
  readonly environments: readonly Environment[];
  /** Ending of proposed site names, for stage or production. */
  readonly suffix?: string;
}
