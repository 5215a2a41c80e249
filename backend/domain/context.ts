import type { ConsequenceOfSites } from '@repoless/contract/consequence.ts';
import type { RoleName } from '@repoless/contract/access.ts';
import type { HostDomains } from '@repoless/contract/addresses.ts';
import type { Patch } from '@repoless/contract/endpoint-parts.ts';
import type { Endpoint } from '@repoless/contract/endpoint.ts';
import type { BodyOf, ParamsOf, QueryOf } from '@repoless/contract/endpoints.ts';
import type { CodeSources } from '../code/rules/ports.ts';
import type { FirstSyncs } from '../code/rules/start-syncs.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import type { KeyClaims, TokenClaims } from '../sessions/identity.ts';
import type { PrintedAnswer } from './answer-budget.ts';
import type { CodeHost, SiteYamlProblem, Store, StoredOrg, StoredSite } from './ports.ts';
import type { Quotas } from './quotas.ts';
import { Refusal } from '@repoless/contract/refusal.ts';

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

/** Who makes a call. A broken, expired or revoked token counts as none. */
export type Caller = { readonly kind: 'anonymous' } | User;

export interface User {
  readonly kind: 'user';
  /** E-mail address as the identity provider gave it, identifier of a technical account, or `api-key:<id>`. */
  readonly email: string;
  readonly name?: string;
  /** Lower-cased e-mail, user id and preferred name: what access lists are matched against. An API key has none. */
  readonly names: readonly string[];
  /** `jti` of the token, for revocation. */
  readonly tokenId: string;
  /** How the caller proved itself; a cookie of a browser is good for reads of the same origin alone. */
  readonly credential: 'header' | 'cookie';
  /** The caller is an API key: it has these roles, in this place, and nothing that lists or wildcards grant. */
  readonly key?: KeyGrant;
  /** What its token says. Absent where it shows none: a rollout that goes on in somebody's name. */
  readonly claims?: TokenClaims | KeyClaims;
}

export interface KeyGrant {
  readonly id: string;
  readonly org: string;
  /** A site, or the place of a profile (see `placeOf`): the sites that extend it. Absent: good for the organization and all of its sites. */
  readonly site?: string;
  readonly roles: readonly RoleName[];
}

export const ANONYMOUS: Caller = { kind: 'anonymous' };

/** Whose share of what a node does at once is taken: the caller's own. The API keys of an organization, of which it makes as many as it likes, have one together. */
export function shareOf(caller: Caller): string {
  if (caller.kind === 'anonymous') return '';
  return caller.key === undefined ? caller.email.toLowerCase() : `keys ${caller.key.org}`;
}

/** A call, parsed by its row of the table. */
export interface Input<E extends Endpoint> {
  readonly params: ParamsOf<E>;
  readonly query: QueryOf<E>;
  readonly body: BodyOf<E>;
  /** The headers as they came: `*`, or etags separated by commas. */
  readonly ifMatch?: string;
  readonly ifNoneMatch?: string;
  /** All request headers, lower-cased; for sign-in and the authoring proxy alone. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The body as it came, for calls that pass it on. */
  readonly raw?: Uint8Array;
  /**
   * Of a call whose body is signed: to be called once the signature was checked. Reads the rest of the call as its row says,
   * and refuses where it does not fit. Nothing but path and bytes is looked at before, and `query` is not there.
   */
  readonly rest?: () => QueryOf<E>;
}

/** What became of a call. HTTP makes a status of it. */
export type Result = 'done' | 'created' | 'accepted' | 'removed';

/** What a write that was only tried would come to. */
interface Trial {
  readonly result: Result;
  /** What it would answer. */
  readonly body: unknown;
  readonly diff: Patch;
  readonly warnings?: readonly string[];
  /** What it does to people and visitors. */
  readonly consequences?: readonly ConsequenceOfSites[];
}

/**
 * What an operation answers. `etag` with its quotes; `headers` lower-cased (several values of one header as an array); no `body` means an empty answer. A text or bytes
 * are sent as they are, with the content type that `headers` gives; everything else is sent as JSON.
 */
export interface Outcome {
  readonly result: Result;
  readonly body?: unknown;
  /** Instead of a body: the call was a dry run. */
  readonly trial?: Trial;
  /** Instead of a body: pieces that are sent as they come, until they end or the caller leaves. */
  readonly stream?: AsyncIterable<string>;
  /** Instead of a body: an answer that may be large; JSON unless `headers` say otherwise. */
  readonly printed?: PrintedAnswer;
  readonly etag?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** Whom the call signed in; for the log alone. */
  readonly user?: string;
  /** What it did that its address does not say; for the log alone. */
  readonly event?: 'sessions-ended' | `mcp ${string}`;
}

/** A use case behind one row of the table. Refuses by throwing a `Refusal`. */
export type Operation<E extends Endpoint> = (context: Context, input: Input<E>) => Promise<Outcome>;

/** What nobody can guess: a UUID has 122 random bits, one of these 244. Letters and digits alone. */
export function unguessable({ newId }: Pick<Context, 'newId'>): string {
  return `${newId()}${newId()}`.replaceAll('-', '');
}

/** Refuses callers that are not signed in; answers who the caller is. */
export function requireUser(caller: Caller): User {
  if (caller.kind === 'user') return caller;
  throw new Refusal('NOT_AUTHENTICATED', 'not authenticated', {
    detail: 'Sign in at /login, or send a valid token in the header "x-auth-token".',
  });
}
