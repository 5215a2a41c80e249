import type { SecretInfo } from '#contract/secret.ts';

/** A secret as it is stored: `sealed` is the sealed value, or the hash of a generated one. */
export interface StoredSecret {
  readonly org: string;
  readonly site: string;
  readonly name: string;
  readonly type: SecretInfo['type'];
  readonly sealed: string;
  readonly created: Date;
  readonly lastModified: Date;
}

/** What may be told of it. */
export function secretInfo({ name, type, created, lastModified }: StoredSecret): SecretInfo {
  return { id: name, type, created: created.toISOString(), lastModified: lastModified.toISOString() };
}
