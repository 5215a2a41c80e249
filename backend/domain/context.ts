import type { ConsequenceOfSites } from '@repoless/contract/consequence.ts';
import type { HostDomains } from '@repoless/contract/addresses.ts';
import type { Patch } from '@repoless/contract/endpoint-parts.ts';
import type { Endpoint } from '@repoless/contract/endpoint.ts';
import type { BodyOf, ParamsOf, QueryOf } from '@repoless/contract/endpoints.ts';
import type { CodeSources, FirstSyncs } from '../code/rules/ports.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import type { Caller } from '../sessions/identity.ts';
import type { StoredSite } from '../sites/ports.ts';
import type { PrintedAnswer } from './answer-budget.ts';
import type { Quotas } from './documents.ts';
import type { CodeHost, SiteYamlProblem, Store, StoredOrg } from './ports.ts';

/** The settings that the rules need. */
export interface DomainSettings {
  readonly hosts: HostDomains;
  /** E-mail addresses (in lower case) of those who claim organizations without a challenge. */
  readonly operators: readonly string[];
  /** Scheme and host of the code host, e.g. `https://github.com`. */
  readonly codeHost: string;
  /** How many versions of a document are retained, in addition to named ones. */
  readonly versionsKept: number;
  readonly quotas: Quotas;
}

/** The organization and the site in a call's path, as read by its permission check. */
export interface Permitted {
  readonly org?: StoredOrg | undefined;
  readonly site?: StoredSite | undefined;
}

/** Everything that an operation may use, including time, identifiers and randomness. */
export interface Context {
  readonly caller: Caller;
  readonly requestId: string;
  /** The client's network, for limits. */
  readonly address: string;
  readonly store: Store;
  readonly codeHost: CodeHost;
  readonly codeSources: CodeSources;
  readonly settings: DomainSettings;
  readonly siteYamlProblem: SiteYamlProblem;
  /** Seals the values of secrets in a document. */
  readonly box: Pick<SecretBox, 'seal'>;
  /** Notified after a change that may need a first sync was stored. */
  readonly firstSyncs?: FirstSyncs | undefined;
  /** For a call that only reads, so that nothing is read twice; a write reads in its transaction. */
  readonly permitted?: Permitted | undefined;
  now(): Date;
  /** An unguessable identifier. */
  newId(): string;
}

/** A call, parsed by its row of the table. */
export interface Input<E extends Endpoint> {
  readonly params: ParamsOf<E>;
  readonly query: QueryOf<E>;
  readonly body: BodyOf<E>;
  /** The raw headers: `*`, or etags separated by commas. */
  readonly ifMatch?: string;
  readonly ifNoneMatch?: string;
  /** All request headers, names in lower case; only for sign-in and the authoring proxy. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The raw body, for calls that forward it. */
  readonly raw?: Uint8Array;
  /**
   * For a call with a signed body: call it once the signature has been checked. Parses the rest of the call by its row, and refuses if it
   * is invalid. Before that only path and bytes are available, and `query` is absent.
   */
  readonly rest?: () => QueryOf<E>;
}

/** The result of a call, which HTTP maps to a status. */
export type Result = 'done' | 'created' | 'accepted' | 'removed';

/** What a dry run predicts. */
interface Prediction {
  readonly result: Result;
  /** The predicted answer. */
  readonly body: unknown;
  readonly diff: Patch;
  readonly warnings?: readonly string[];
  /** What it does to people and visitors. */
  readonly consequences?: readonly ConsequenceOfSites[];
}

/**
 * What an operation answers. `etag` with its quotes; `headers` with names in lower case (several values of one header as an array); no
 * `body` means an empty answer. A text or bytes are sent unchanged, with the content type in `headers`; everything else is sent as JSON.
 */
export interface Outcome {
  readonly result: Result;
  readonly body?: unknown;
  /** Instead of a body: the call was a dry run. */
  readonly prediction?: Prediction;
  /** Instead of a body: pieces that are sent as they come, until they end or the caller disconnects. */
  readonly stream?: AsyncIterable<string>;
  /** Instead of a body: an answer that may be large; JSON unless `headers` say otherwise. */
  readonly printed?: PrintedAnswer;
  readonly etag?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** Who was signed in by the call; for the log only. */
  readonly user?: string;
  /** What it did that its address does not say; for the log only. */
  readonly event?: 'sessions-ended' | `mcp ${string}`;
}

/** A page of what was read with `limit + 1`: one more than requested shows whether there is a next page, after `last`. */
export function pageOf<T>(found: readonly T[], limit: number): { readonly shown: readonly T[]; readonly last: T | undefined } {
  const shown = found.slice(0, limit);
  return { shown, last: found.length > shown.length ? shown.at(-1) : undefined };
}

/** The header that names the next page, if there is one. */
export function linkTo(next: string | undefined): Pick<Outcome, 'headers'> {
  return next === undefined ? {} : { headers: { link: `<${next}>; rel="next"` } };
}

/** The implementation of a row of the table. Throws a `Refusal` to refuse. */
export type Operation<E extends Endpoint> = (context: Context, input: Input<E>) => Promise<Outcome>;

/** An unguessable text: a UUID has 122 random bits, this has 244. Letters and digits only. */
export function unguessable({ newId }: Pick<Context, 'newId'>): string {
  return `${newId()}${newId()}`.replaceAll('-', '');
}
