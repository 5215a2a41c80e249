import type { ErrorCode } from '@repoless/contract/errors.ts';
import { isUncertain } from '@repoless/core/run/failures.ts';
import type { Failure } from '@repoless/core/situation/situation.ts';
import { describe, expect, test } from 'vitest';

const refused = (status: number, code?: ErrorCode): Failure => ({
  kind: 'refused',
  status,
  ...(code === undefined ? {} : { problem: { type: 'about:blank', title: code, status, code, detail: '' } }),
});

describe('A write that failed', () => {
  test.each<readonly [string, Failure]>([
    ['its answer never came', { kind: 'unreachable' }],
    ['its answer took too long', { kind: 'timeout' }],
    ['a gateway answered in place of the service', refused(502)],
    ['its answer cannot be read', { kind: 'unexpected', status: 200, finding: { kind: 'unread', from: 'service', about: 'id' } }],
    ['its answer is of another form', { kind: 'unexpected' }],
    ['the service does not know', refused(500, 'INTERNAL')],
    ['the database did not answer', refused(503, 'STORAGE_UNAVAILABLE')],
  ])('may have been stored where %s', (_why, failure) => expect(isUncertain(failure)).toBe(true));

  test.each<readonly [string, Failure]>([
    ['the service refused it', refused(412, 'PRECONDITION_FAILED')],
    ['another system behind the service was away', refused(502, 'CODE_HOST_UNREACHABLE')],
    ['the storage is full', refused(503, 'STORAGE_FULL')],
    ['something in between did not let it through', refused(401)],
    ['too many calls were made', refused(429)],
    ['nothing was sent', { kind: 'unexpected', finding: { kind: 'no-dry-run', reason: 'not-announced' } }],
  ])('was not stored where %s', (_why, failure) => expect(isUncertain(failure)).toBe(false));
});
