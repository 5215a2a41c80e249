import type { SecretInfo } from '@repoless/contract/secret.ts';
import { etagOf } from '../domain/canonical.ts';

/** A secret as it is stored: `site` is the place of its owner (see `placeOf`), `sealed` is the sealed value, or the hash of a generated one. */
export interface StoredSecret {
  readonly org: string;
  readonly site: string;
  readonly name: string;
  readonly type: SecretInfo['type'];
  readonly sealed: string;
  readonly created: Date;
  readonly lastModified: Date;
  /** When it ends, where somebody said so. */
  readonly expires?: Date;
  /** What people are told it is for. */
  readonly description?: string;
}

/** What was sealed again, a secret or that of a webhook, and as what it must still be stored: `before`. */
export type Resealed =
  | { readonly of: 'secret'; readonly secret: StoredSecret; readonly before: string }
  | { readonly of: 'subscription'; readonly org: string; readonly id: string; readonly sealed: string; readonly before: string };

/** What may be told of it. */
export function secretInfo({ name, type, created, lastModified, expires, description }: StoredSecret): SecretInfo {
  return {
    id: name,
    type,
    created: created.toISOString(),
    lastModified: lastModified.toISOString(),
    ...(expires === undefined ? {} : { expires: expires.toISOString() }),
    ...(description === undefined ? {} : { description }),
  };
}

/** Of what is told; each writing of a value has another time. */
export function secretEtag(secret: StoredSecret): string {
  return etagOf(secretInfo(secret));
}

/** As it is stored next. Every writing has a time of its own, so that each has its etag. */
export function writtenSecret(
  now: Date,
  secret: Omit<StoredSecret, 'created' | 'lastModified'>,
  present: StoredSecret | undefined,
): StoredSecret {
  const after = present === undefined ? now : new Date(Math.max(now.getTime(), present.lastModified.getTime() + 1));
  return { ...secret, created: present?.created ?? now, lastModified: after };
}
