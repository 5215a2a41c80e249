import type { ChecksPort } from '@repoless/core/overview/stored-checks.ts';
import type { RemovalPort, ServicePort, SetupPorts } from '@repoless/core/situation/ports.ts';
import type { RolloutsPort } from '@repoless/core/rollouts/rollouts-port.ts';
import type { Environment } from '@repoless/core/sites/environments.ts';
import { createContext } from 'react';

const missing = async () => ({ state: 'missing' }) as const;

/** Where checks are stored; nowhere until a view of many sites provides it. */
export const ChecksContext = createContext<ChecksPort>({ all: missing, start: missing, site: missing, activity: missing, store: missing });

export const CallerContext = createContext<Pick<ServicePort, 'profile' | 'organizations'>>({ profile: missing, organizations: missing });

/** What is deleted together with a site; absent if that cannot be read. */
export const RemovalContext = createContext<RemovalPort | undefined>(undefined);

export interface RolloutsAccess {
  readonly port: RolloutsPort;
  /** Shows a rollout that was started. */
  started(id: string): void;
  /** Shows all rollouts. */
  list(): void;
}

/** Where many sites are changed together; undefined if that is not possible. */
export const RolloutsContext = createContext<RolloutsAccess | undefined>(undefined);

/** The authoring environment whose pages are selected. */
export interface OpenedEnvironment {
  /** Scheme and host of the author. */
  readonly author: string;
  readonly ports: SetupPorts;
  /** A page of it, at which the tree opens. */
  readonly page: string;
  /** Empty if the environment shows none. */
  readonly technicalAccount: string;
  /** This one and other known ones: an account of another one is refused. */
  readonly environments: readonly Environment[];
  /** Suffix of proposed site names, for stage or production. */
  readonly suffix?: string;
}

/** What simulating a change of mappings requires: the service, and the pages of an author. */
export type SimulationPorts = Pick<SetupPorts, 'service' | 'authoring'>;

/** The ports of an author, for views that only know the source of a site's content. Undefined if pages cannot be read there. */
export const SimulationContext = createContext<((author: string) => SimulationPorts) | undefined>(undefined);
