import type { HistoryPort, Restoring } from './history-port.ts';
import { describeChange } from './describe-change.ts';
import { isObject } from './json-place.ts';
import type { HistorySubject } from './subject.ts';

/**
 * Whether a version came back although the answer was lost: something else is stored than what was looked at, and the
 * service would change nothing if it were asked once more. Out: undefined where that cannot be read, or where others stored something since.
 */
export async function wasRestored(history: HistoryPort, subject: HistorySubject, sent: Restoring): Promise<boolean | undefined> {
  const present = await history.present(subject);
  if (present.state === 'failed') return undefined;
  const { etag: _before, ...restoring } = sent;
  if (present.state === 'missing') return sent.etag === undefined ? false : undefined;
  const { data, etag } = present.value;
  if (etag === sent.etag) return false;
  const again = await history.dryRun(subject, { ...restoring, etag });
  if (again.state !== 'known' || !isObject(again.value.result)) return undefined;
  return describeChange(data, again.value.result).every(({ kind }) => kind === 'same') ? true : undefined;
}
