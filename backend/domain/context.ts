import type { HostDomains } from '@repoless/contract/addresses.ts';
import type { CodeSources } from '../code/rules/ports.ts';
import type { FirstSyncs } from '../code/rules/start-syncs.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import type { Caller } from './caller.ts';
import type { CodeHost, SiteYamlProblem, Store, StoredOrg, StoredSite } from './ports.ts';
import type { Quotas } from './quotas.ts';

/** What the rules need to know of the settings. */
export interface DomainSettings {
  readonly hosts: HostDomains;
  /** E-mail addresses (lower-cased) of those who claim organizations without a challenge. */
  readonly operators: readonly string[];
  /** Scheme and host of the code host, e.g. `https://github.com`. */
  readonly codeHost: string;
  /** How many versions of a document are kept, beside those that have a name. */
  readonly versionsKept: number;
  /** What an organization may have. */
  readonly quotas: Quotas;
}

/** The organization and the site of a call's path, as the check of its permission found them. */
export interface Permitted {
  readonly org?: StoredOrg | undefined;
  readonly site?: StoredSite | undefined;
}

/** Everything that an operation may use. Time, identifiers and randomness come from here. */
export interface Context {
  readonly caller: Caller;
  readonly requestId: string;
  /** The network that the request comes from, for limits. */
  readonly address: string;
  readonly store: Store;
  readonly codeHost: CodeHost;
  readonly codeSources: CodeSources;
  readonly settings: DomainSettings;
  readonly siteYamlProblem: SiteYamlProblem;
  /** Seals the values of secrets that come with a document. */
  readonly box: Pick<SecretBox, 'seal'>;
  /** Told of what a first sync may begin with, after it was stored. */
  readonly firstSyncs?: FirstSyncs;
  /** For a call that only reads, so that nothing is read twice; a write reads in its transaction. */
  readonly permitted?: Permitted | undefined;
  now(): Date;
  /** An unguessable identifier. */
  newId(): string;
}
