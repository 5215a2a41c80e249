import { etagOf } from '../canonical.ts';
import type { Context } from '../context.ts';
import { difference } from '../difference.ts';
import type { Subject } from '../ports.ts';
import type { Outcome } from '../operation.ts';
import { findVersion } from './get-version.ts';

/** The JSON patch that makes `to` of `from`, whichever is older. A version that records the deletion counts as null. */
export async function compareVersions({ store }: Context, subject: Subject, from: number, to: number): Promise<Outcome> {
  const [one, other] = await Promise.all([findVersion(store.reads, subject, from), findVersion(store.reads, subject, to)]);
  const body = difference(one.data, other.data);
  return { result: 'done', body, etag: etagOf(body) };
}
