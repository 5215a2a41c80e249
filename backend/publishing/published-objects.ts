import { configAnswer } from '#backend/delivery/config-answer.ts';
import type { Tier } from '#contract/addresses.ts';
import type { CopyObject, PublishedDocument, SiteName, StoredObject } from '#backend/domain/publishing/ports.ts';
import { hostReaders } from '#backend/domain/roles/host-readers.ts';
import { surrogateKey } from './object-key.ts';

/**
 * What the copy of a host has: byte for byte what the host answers, and nothing where it answers nothing. A host that is guarded has no
 * copy, although its `config.json` is open: who asks for a copy cannot be told apart from others. Rule: docs/contract.md 6.5.
 */
export function publishedObject(found: PublishedDocument | undefined, site: SiteName, tier: Tier): CopyObject | undefined {
  if (found?.config === undefined || hostReaders(found.aggregate, tier) !== undefined) return undefined;
  const { headers, bytes } = configAnswer(found.config);
  return {
    bytes: typeof bytes === 'string' ? Buffer.from(bytes) : bytes,
    contentType: valueOf(headers, 'content-type'),
    cacheControl: valueOf(headers, 'cache-control'),
    etag: found.config.etag,
    surrogateKeys: [surrogateKey(site), site.org],
  };
}

/** Whether an object is the one that belongs there, as far as the place keeps it. */
export function isSame(object: CopyObject, { bytes, contentType, cacheControl, etag, surrogateKeys }: StoredObject): boolean {
  return (
    Buffer.compare(object.bytes, bytes) === 0 &&
    (contentType ?? object.contentType) === object.contentType &&
    (cacheControl ?? object.cacheControl) === object.cacheControl &&
    (etag ?? object.etag) === object.etag &&
    (surrogateKeys ?? object.surrogateKeys).join(' ') === object.surrogateKeys.join(' ')
  );
}

/** From a flat list of names and values. */
function valueOf(headers: readonly string[], name: string): string {
  return headers[headers.indexOf(name) + 1] ?? '';
}
