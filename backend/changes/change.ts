import type { Permission } from '@repoless/contract/access.ts';
import type { ConsequenceOfSites } from '@repoless/contract/consequence.ts';
import type { CodeSource } from '@repoless/contract/code-source.ts';
import type { Org } from '@repoless/contract/org.ts';
import type { SentSecret } from '@repoless/contract/secret.ts';
import type { Profile, Site, SiteInput } from '@repoless/contract/site.ts';
import type { Grants } from '../access/roles.ts';
import type { Context } from '../domain/context.ts';
import type { Refusal } from '@repoless/contract/refusal.ts';
import type { AggregateWrite, OrgUsage, Reads, StoredOrg, Subject, Writes } from '../domain/ports.ts';
import type { StoredOwner } from '../owners/owner.ts';
import type { StoredSecret } from '../secrets/secret-box.ts';

/** What a call about a document shows of it: the whole, or one part. */
export interface View<D> {
  /** Where the part lies in the document, as a JSON pointer. */
  readonly pointer: string;
  /** The same, where it depends on the document. */
  pointerIn?(config: D): string;
  /** Undefined where the document does not have the part. */
  read(config: D): unknown;
}
export type ConfigView = View<Site>;

/** A document of the configuration as it is stored: a site, a profile, or an organization. */
export interface StoredDocument<D = Site> {
  readonly config: D;
  /** The same over its profile, where it extends one. */
  readonly aggregate?: D;
  readonly etag: string;
  readonly version: number;
}

/** What a call asks of its change. */
export interface ChangeRequest {
  readonly query: {
    readonly dryRun?: boolean | undefined;
    readonly confirm?: boolean | undefined;
    readonly versionName?: string | undefined;
    readonly unchecked?: boolean | undefined;
  };
  readonly ifMatch?: string;
  readonly ifNoneMatch?: string;
}

/** A change of a document, or of one part of it. */
export interface Change<Name, D = Site, I = SiteInput> extends ChangeRequest {
  readonly name: Name;
  readonly permission: Permission;
  /** What the audit trail calls it. */
  readonly action: string;
  /** The part that the call is about; the whole document where it is left out. */
  readonly view?: View<D> | undefined;
  /** What is answered instead, where the call is about a list and answers one of its entries. */
  readonly answers?: View<D> | undefined;
  /** The document may be made by this change. */
  readonly creates?: true;
  /** Its part is a document of its own, which is made where it is not there yet. */
  readonly createsPart?: true;
  /** The version that `next` answers: it keeps the time when it was made, and the new version says what it was restored from. */
  readonly restores?: number;
  /** Of a profile that is made in the place of another: that one, whose people it takes over. */
  readonly like?: Profile | undefined;
  /** What is stored together with it, beside the document. `config`: the document as it is stored; null where it goes. */
  also?(writes: Writes, config: D | null): Promise<void>;
  /** Whether it puts the whole document in the place of what is stored, so that the answer names the parts that it drops. */
  replacesWhole?(present: StoredDocument<D>): boolean;
  /** What the document shall be, or null where it shall be removed. In: what is stored. Refuses by throwing. */
  next(present: StoredDocument<D> | undefined, reads: Reads): Promise<I | null> | I | null;
}

/**
 * Checks what takes another system or a thread, once for each key, and answers what the check found. No transaction waits for that: the first
 * call breaks it off, the check runs, and the change begins anew.
 */
export type Outside = <R>(key: string, check: () => Promise<R>) => R;

/** What is stored of the surroundings of a document. */
export interface Loaded<D, S = StoredDocument<D>> {
  readonly org: StoredOrg | undefined;
  readonly present: S | undefined;
  readonly usage: OrgUsage;
  /** What is read of the whole document, where that is more than its configuration. */
  shown?(config: D): D;
}

/** A document that is being changed, as far as the steps before have brought it. */
export interface Draft<Name, D, I, S = StoredDocument<D>> extends Loaded<D, S> {
  readonly context: Context;
  readonly change: Change<Name, D, I>;
  readonly reads: Reads;
  readonly outside: Outside;
  /** The organization, where the caller acts by a role in it. */
  readonly permitted: Org | undefined;
  readonly input: I;
  readonly config: D;
  readonly aggregate: D;
  /** What its profile says of people, where it extends one. */
  readonly inherited?: Grants | undefined;
}

/** What a change of a document makes of others, and what it takes of the organization's quotas. */
export interface Effect {
  readonly sites?: readonly AggregateWrite[];
  readonly more?: Partial<Record<keyof OrgUsage, number>>;
  /** That sites come to use. */
  readonly repositories?: readonly string[];
}

/** What a change comes to, before anything is stored. */
export interface Decision<D> extends Effect {
  readonly present: StoredDocument<D> | undefined;
  /** null: the document goes. */
  readonly config: D | null;
  readonly aggregate?: D;
  readonly etag?: string;
  readonly changed: boolean;
  readonly secrets?: readonly StoredSecret[];
  /** What of the input has no effect, a sentence each. */
  readonly warnings?: readonly string[];
  shown?(config: D): D;
}

export interface Named {
  readonly org: string;
}

/** What all kinds of documents have, and what clients send of it. */
export interface Document {
  readonly created: string;
  readonly code?: CodeSource | undefined;
  readonly secrets?: Readonly<Record<string, object>> | undefined;
}
export interface Sent {
  readonly created?: string | undefined;
  readonly name?: string | undefined;
  readonly secrets?: Readonly<Record<string, SentSecret>> | undefined;
}

/** What holds: the document over its profile, where it extends one. */
export function inForce<D>({ aggregate, config }: Pick<StoredDocument<D>, 'aggregate' | 'config'>): D {
  return aggregate ?? config;
}

/** A kind of document: sites, profiles, organizations. What `changeDocument` asks of it, in this order. */
export interface DocumentKind<Name extends Named, D extends Document, I extends Sent, S extends StoredDocument<D>> {
  subject(name: Name): Subject;
  /** As a sentence begins, `The site "wknd/de"`; and its own name. */
  title(name: Name): string;
  ownName(name: Name): string;
  /** Whose its secrets are. */
  secretsOf(name: Name): StoredOwner;
  load(context: Context, reads: Reads, change: Change<Name, D, I>): Promise<Loaded<D, S>>;
  permit(context: Context, change: Change<Name, D, I>, loaded: Loaded<D, S>): StoredOrg | undefined;
  /** Refuses the change of what is not there. */
  missing(context: Context, name: Name): Refusal;
  /** Refuses a removal. Out: what it makes of others. */
  remove?(draft: Omit<Draft<Name, D, I, S>, 'input' | 'config' | 'aggregate'>): Promise<Effect>;
  complete(draft: Omit<Draft<Name, D, I, S>, 'config' | 'aggregate'>, times: { readonly created: string; readonly now: string }): D;
  merge?(draft: Omit<Draft<Name, D, I, S>, 'aggregate'>): Promise<Pick<Draft<Name, D, I, S>, 'aggregate' | 'inherited'>>;
  /** Rules about the document alone, and about people. */
  check?(draft: Draft<Name, D, I, S>): Promise<void> | void;
  /** What of the input has no effect, a sentence each. */
  warnings?(change: Change<Name, D, I>, config: D): string[];
  checkSecrets?(draft: Draft<Name, D, I, S>, secrets: readonly StoredSecret[]): Promise<void> | void;
  /** Rules about others. In: the bytes of the document. */
  checkOthers(draft: Draft<Name, D, I, S>, bytes: number): Promise<Effect> | Effect;
  put(context: Context, writes: Writes, change: Change<Name, D, I>, decision: Decision<D>, version: number): Promise<void>;
  /** What the change does to people and visitors, for a dry run. */
  consequences(context: Context, reads: Reads, name: Name, decision: Decision<D>): Promise<readonly ConsequenceOfSites[]>;
  auditAction?(change: Change<Name, D, I>): string;
  /** Secrets that the document no longer names are removed with it. */
  readonly ownsSecrets?: true;
  /** What begins once the change is stored. */
  stored?(context: Context, change: Change<Name, D, I>, decision: Decision<D>): Promise<void>;
}

/** What every change takes over from its call. */
export function changeRequest({ query, ifMatch, ifNoneMatch }: ChangeRequest): ChangeRequest {
  return { query, ...(ifMatch === undefined ? {} : { ifMatch }), ...(ifNoneMatch === undefined ? {} : { ifNoneMatch }) };
}

/** A call about such a document. */
export interface DocumentCall<Name> extends ChangeRequest {
  readonly params: Name;
}
