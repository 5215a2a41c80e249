import type { HostDomains } from '#contract/addresses.ts';
import type { Caller } from './caller.ts';
import type { CodeHost, Store } from './ports.ts';

/** What the rules need to know of the settings. */
export interface DomainSettings {
  readonly hosts: HostDomains;
  /** E-mail addresses (lower-cased) of those who claim organizations without a challenge. */
  readonly operators: readonly string[];
  /** Scheme and host of the code host, e.g. `https://github.com`. */
  readonly codeHost: string;
}

/** Everything that a verb may use. Time, identifiers and randomness come from here. */
export interface Context {
  readonly caller: Caller;
  readonly requestId: string;
  readonly store: Store;
  readonly codeHost: CodeHost;
  readonly settings: DomainSettings;
  now(): Date;
  /** An unguessable identifier. */
  newId(): string;
}
