import type { Permission } from '#contract/permissions.ts';
import type { Site, SiteInput } from '#contract/site.ts';
import type { Reads, Writes } from '../ports.ts';

/** What a call about a site or profile shows of it: the whole, or one part. */
export interface ConfigView {
  /** Where the part lies in the document, as a JSON pointer. */
  readonly pointer: string;
  /** Undefined where the document does not have the part. */
  read(config: Site): unknown;
}

export const WHOLE: ConfigView = { pointer: '', read: (config) => config };

/** A document of the configuration as it is stored: a site, or a profile. */
export interface StoredDocument {
  readonly config: Site;
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
export interface Change extends ChangeRequest {
  readonly permission: Permission;
  /** What the audit trail calls it. */
  readonly action: string;
  /** The part that the call is about; the whole document where it is left out. */
  readonly view?: ConfigView;
  /** The document may be made by this change. */
  readonly creates?: true;
  /** Its part is a document of its own, which is made where it is not there yet. */
  readonly createsPart?: true;
  /** The version that `next` answers: it keeps the time when it was made, and the new version says what it was restored from. */
  readonly restores?: number;
  /** What is stored together with it, beside the document. `config`: the document as it is stored; null where it goes. */
  also?(writes: Writes, config: Site | null): Promise<void>;
  /** Whether it puts the whole document in the place of what is stored, so that the parts that it drops are told. */
  replacesWhole?(present: StoredDocument): boolean;
  /** What the document shall be, or null where it shall be removed. In: what is stored. Refuses by throwing. */
  next(present: StoredDocument | undefined, reads: Reads): Promise<SiteInput | null> | SiteInput | null;
}

/** What a change comes to, before anything is stored. */
export interface Decision {
  readonly present: StoredDocument | undefined;
  /** null: the document goes. */
  readonly config: Site | null;
  /** Of the configuration; absent where the document goes. */
  readonly etag?: string;
  readonly changed: boolean;
  /** What of the input has no effect, a sentence each. */
  readonly warnings?: readonly string[];
}

/** What every change takes over from its call. */
export function changeRequest({ query, ifMatch, ifNoneMatch }: ChangeRequest): ChangeRequest {
  return { query, ...(ifMatch === undefined ? {} : { ifMatch }), ...(ifNoneMatch === undefined ? {} : { ifNoneMatch }) };
}
