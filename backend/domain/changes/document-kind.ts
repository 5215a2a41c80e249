import type { Context } from '../context.ts';
import type { Refusal } from '../errors.ts';
import type { Outcome } from '../operation.ts';
import type { ChangeRequest, Change, StoredDocument } from './change.ts';

/** A kind of document that is read and changed whole or by its parts: sites and profiles. `Name`: what names one. */
export interface DocumentKind<Name> {
  /** Refuses where there is none. */
  find(context: Context, name: Name): Promise<StoredDocument>;
  /** `PART_NOT_FOUND`, for a part as a sentence calls it. */
  partMissing(part: string, name: Name): Refusal;
  /** Stores the change together with its version and its audit row. */
  change(context: Context, name: Name, change: Change): Promise<Outcome>;
}

/** A call about such a document. */
export interface DocumentCall<Name> extends ChangeRequest {
  readonly params: Name;
}
