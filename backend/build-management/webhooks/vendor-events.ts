import type { BranchChange } from '@repoless/contract/build-management-deliveries.ts';
import type { RequestHeaders } from '../../http/ports.ts';

/** An event as it came: nothing of it is parsed before its signature was checked. */
export interface ReceivedWebhook {
  readonly headers: RequestHeaders;
  readonly bytes: Uint8Array;
  /** The organization of the repository: a large event waits for other large ones of it alone. */
  readonly org: string;
}

export interface VendorEvent {
  /** What the vendor names this delivery by; undefined where it does not. */
  readonly deliveryId: string | undefined;
  /** As the vendor names it. */
  readonly event: string;
  readonly changes: readonly BranchChange[];
  /** Why there is nothing to do. */
  readonly ignored?: string;
}

/** How one vendor signs and tells of pushes. */
export interface VendorEvents {
  /** Where the signature is looked for, as it is told to the one who sets the webhook up. */
  readonly signedBy: string;
  /** The signature is over the bytes alone, so that they can be sent again under another name. */
  readonly isRepeatable?: true;
  /** Compares in constant time, over the bytes as they came. */
  isSigned(event: ReceivedWebhook, secret: string, now: Date): boolean;
  /** Rejects with BODY_UNPARSABLE or BODY_INVALID. */
  read(event: ReceivedWebhook): Promise<VendorEvent>;
}

/** What the user of basic credentials is called. */
export const WEBHOOK_USER = 'webhook';
