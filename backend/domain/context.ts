import type { HostDomains } from '#contract/addresses.ts';
import type { CodeSource } from '#contract/code-source.ts';
import type { Caller } from './caller.ts';
import type { CodeHost, Store } from './ports.ts';

/** What the rules need to know of the settings. */
export interface DomainSettings {
  readonly hosts: HostDomains;
  /** E-mail addresses (lower-cased) of those who claim organizations without a challenge. */
  readonly operators: readonly string[];
  /** Scheme and host of the code host, e.g. `https://github.com`. */
  readonly codeHost: string;
  /** How many versions of a document are kept, beside those that have a name. */
  readonly versionsKept: number;
}

/** Everything that a verb may use. Time, identifiers and randomness come from here. */
export interface Context {
  readonly caller: Caller;
  readonly requestId: string;
  readonly store: Store;
  readonly codeHost: CodeHost;
  readonly settings: DomainSettings;
  /** Told of the code source of each site that was stored; it begins the first sync of a repository. */
  codeStored?(org: string, code: CodeSource | undefined): void;
  now(): Date;
  /** An unguessable identifier. */
  newId(): string;
}
