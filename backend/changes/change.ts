import type { Permission } from '@repoless/contract/access.ts';
import type { ConsequenceOfSites } from '@repoless/contract/consequence.ts';
import type { CodeSource } from '@repoless/contract/code-source.ts';
import type { Org } from '@repoless/contract/org.ts';
import type { SentSecret } from '@repoless/contract/secret.ts';
import type { Profile, Site, SiteInput } from '@repoless/contract/site.ts';
import type { Grants } from '../access/roles.ts';
import type { CodeOrigin } from '../code/rules/ports.ts';
import type { Context } from '../domain/context.ts';
import type { Refusal } from '@repoless/contract/refusal.ts';
import type { OrgUsage } from '../domain/documents.ts';
import type { Reads, StoredOrg, Writes } from '../domain/ports.ts';
import type { StoredOwner } from '../owners/owner.ts';
import type { StoredSecret } from '../secrets/secret-box.ts';
import type { Subject } from '../history/ports.ts';
import type { AggregateWrite } from '../sites/ports.ts';

/** What a call shows of a document: all of it, or one part. */
export interface View<D> {
  readonly pointer: string;
  /** Replaces `pointer` if that depends on the document. */
  pointerIn?(config: D): string;
  /** Undefined if the document does not have the part. */
  read(config: D): unknown;
}

/** A stored configuration document: a site, a profile, or an organization. */
export interface StoredDocument<D = Site> {
  readonly config: D;
  /** Merged over its profile, if it extends one. */
  readonly aggregate?: D;
  readonly etag: string;
  readonly version: number;
}

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
  /** Its name in the audit trail. */
  readonly action: string;
  /** The part that the call addresses; omitted for the complete document. */
  readonly view?: View<D> | undefined;
  /** The answer instead, if the call addresses a list and answers one of its entries. */
  readonly answers?: View<D> | undefined;
  readonly creates?: true;
  /** Its part is a separate document, which is created if it is missing. */
  readonly createsPart?: true;
  /** The version that `next` returns: it keeps its creation time, and the new version says what it was restored from. */
  readonly restores?: number;
  /** For a profile created from another one: that profile, whose people it takes over. */
  readonly copiedFrom?: Profile | undefined;
  /** Stores more in the same transaction. `config`: the stored document; null if it is removed. */
  storeWith?(writes: Writes, config: D | null): Promise<void>;
  /** Whether it replaces the complete stored document, so that the answer lists the parts that it drops. */
  replacesDocument?(current: StoredDocument<D>): boolean;
  /** The new document, or null to remove it, given the stored one. Throws refusals. */
  next(current: StoredDocument<D> | undefined, reads: Reads): Promise<I | null> | I | null;
}

/**
 * Runs a check that needs another system or a thread, once for each key, and returns its result. No transaction waits for it: the first
 * call aborts the transaction, the check runs, and the change starts again.
 */
export type Outside = <R>(key: string, check: () => Promise<R>) => R;

/** A stored document with what its change needs to know. */
export interface Loaded<D, S = StoredDocument<D>> {
  readonly org: StoredOrg | undefined;
  readonly current: S | undefined;
  readonly usage: OrgUsage;
  /** What is shown of the complete document, if that is more than its configuration. */
  shown?(config: D): D;
}

/** A change in progress, with the results of its previous steps. */
export interface Draft<Name, D, I, S = StoredDocument<D>> extends Loaded<D, S> {
  readonly context: Context;
  readonly change: Change<Name, D, I>;
  readonly reads: Reads;
  readonly outside: Outside;
  /** The organization, if the caller acts by a role in it. */
  readonly permitted: Org | undefined;
  readonly input: I;
  readonly config: D;
  readonly aggregate: D;
  /** What its profile grants to people, if it extends one. */
  readonly inherited?: Grants | undefined;
}

/** The effects of a document's change on others, and its use of the organization's quotas. */
export interface Effect {
  readonly sites?: readonly AggregateWrite[];
  readonly usage?: Partial<Record<keyof OrgUsage, number>>;
  /** Newly used by sites. */
  readonly repositories?: readonly string[];
}

/** The outcome of a change before anything is stored. */
export interface Decision<D> extends Effect {
  readonly org: StoredOrg | undefined;
  readonly current: StoredDocument<D> | undefined;
  /** null: the document is removed. */
  readonly config: D | null;
  readonly aggregate?: D;
  readonly etag?: string;
  readonly changed: boolean;
  /** The code source, if it is another one than before. */
  readonly source?: CodeOrigin | undefined;
  readonly secrets?: readonly StoredSecret[];
  /** Parts of the input without effect, as sentences. */
  readonly warnings?: readonly string[];
  shown?(config: D): D;
}

export interface Named {
  readonly org: string;
}

/** Common to all kinds of documents, and what clients send of it. */
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

/** A kind of document: sites, profiles, organizations. `changeDocument` calls its members in this order. */
export interface DocumentKind<Name extends Named, D extends Document, I extends Sent, S extends StoredDocument<D>> {
  subject(name: Name): Subject;
  /** Only the name, from the parameters of a call. */
  nameOf(params: Name): Name;
  /** At the start of a sentence, `The site "wknd/de"`; and its own name. */
  title(name: Name): string;
  ownName(name: Name): string;
  /** The owner of its secrets. */
  secretsOf(name: Name): StoredOwner;
  load(context: Context, reads: Reads, change: Change<Name, D, I>): Promise<Loaded<D, S>>;
  permit(context: Context, change: Change<Name, D, I>, loaded: Loaded<D, S>): StoredOrg | undefined;
  /** For reading. Refuses if it does not exist. */
  find(context: Context, name: Name): Promise<StoredDocument<D>>;
  /** `PART_NOT_FOUND`, with the part's name for messages. */
  partMissing(part: string, name: Name): Refusal;
  /** The refusal to change a missing document. */
  missing(context: Context, name: Name): Refusal;
  /** Refuses a removal, or returns its effect on others. */
  remove?(draft: Omit<Draft<Name, D, I, S>, 'input' | 'config' | 'aggregate'>): Promise<Effect>;
  complete(draft: Omit<Draft<Name, D, I, S>, 'config' | 'aggregate'>, times: { readonly created: string; readonly now: string }): D;
  merge?(draft: Omit<Draft<Name, D, I, S>, 'aggregate'>): Promise<Pick<Draft<Name, D, I, S>, 'aggregate' | 'inherited'>>;
  /** Rules about the document itself, and about people. */
  check?(draft: Draft<Name, D, I, S>): Promise<void> | void;
  /** Parts of the input without effect, as sentences. */
  warnings?(change: Change<Name, D, I>, config: D): string[];
  checkSecrets?(draft: Draft<Name, D, I, S>, secrets: readonly StoredSecret[]): Promise<void> | void;
  /** Rules about other documents. Takes the bytes of the document. */
  checkOthers(draft: Draft<Name, D, I, S>, bytes: number): Promise<Effect> | Effect;
  put(context: Context, writes: Writes, change: Change<Name, D, I>, decision: Decision<D>, version: number): Promise<void>;
  /** What the change does to people and visitors, for a dry run. */
  consequences(context: Context, reads: Reads, name: Name, decision: Decision<D>): Promise<readonly ConsequenceOfSites[]>;
  auditAction?(change: Change<Name, D, I>): string;
  /** Secrets that the document no longer names are removed with it. */
  readonly ownsSecrets?: true;
  /** What to start once the change is stored. */
  stored?(context: Context, change: Change<Name, D, I>, decision: Decision<D>): Promise<void>;
}

/** A call about such a document. */
export interface DocumentCall<Name> extends ChangeRequest {
  readonly params: Name;
}
