import type { Headers } from '@repoless/contract/delivery-headers.ts';
import { jsonPointer } from '@repoless/contract/errors.ts';
import type { FieldError } from '@repoless/contract/errors.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import { isSettableHeader, RESERVED_HEADER } from '@repoless/contract/reserved-headers.ts';
import { allowedOriginErrors } from './allowed-origins.ts';

/** Headers of a site that cannot be sent, with pointers into the document. */
export function headerErrors(headers: Headers | undefined): FieldError[] {
  const reserved = Object.entries(headers ?? {}).flatMap(([path, list]) =>
    list.flatMap(({ key }, index) =>
      isSettableHeader(key) ? [] : [{ pointer: jsonPointer(['headers', path, index, 'key']), detail: RESERVED_HEADER }],
    ),
  );
  return [...reserved, ...allowedOriginErrors(headers)].slice(0, LIMITS.toldErrors);
}
