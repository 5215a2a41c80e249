import type { SetupPorts } from '@repoless/core/plan/ports.ts';
import type { Environment } from '@repoless/core/sites/environments.ts';

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
