import type { endpoints } from '@repoless/contract/endpoints.ts';
import { RepositoryLog } from '@repoless/contract/repository-log.ts';
import type { RepositoryLogEntry } from '@repoless/contract/repository-log.ts';
import type { SealedValue } from '@repoless/contract/sealed-value.ts';
import { Refusal } from '../../domain/errors.ts';
import { checkAgainst } from '../../domain/field-errors.ts';
import type { Operation } from '../../domain/operation.ts';
import { requireBuildManagement } from './build-management-key.ts';
import { jsonOf } from './json-of.ts';

/** How long an entry is recognized that is told of again, because its answer was lost: milliseconds. */
const RECOGNIZED = 30 * 24 * 60 * 60 * 1000;

/**
 * Build management tells what was done with external repositories: its entries go into the audit trail of the organization, in
 * their order, and each but once. Nothing of the body is looked at before the key is. Refuses with NOT_AUTHENTICATED, BODY_UNPARSABLE, BODY_INVALID and
 * ORG_NOT_FOUND, and keeps nothing then.
 */
export function addRepositoryLog(key: SealedValue | undefined): Operation<(typeof endpoints)['addRepositoryLog']> {
  return async ({ store, now }, { params: { org }, headers, rest, raw = new Uint8Array() }) => {
    requireBuildManagement(key, headers['authorization']);
    rest?.();
    const { entries } = checkAgainst(RepositoryLog, jsonOf(raw), 'BODY_INVALID', 'The request body');
    if ((await store.reads.org(org)) === undefined) throw new Refusal('ORG_NOT_FOUND', `The organization "${org}" is not claimed.`);
    const fresh = new Map<string, RepositoryLogEntry>();
    for (const entry of entries) if ((await store.shortLived.get('told', entry.id)) === undefined) fresh.set(entry.id, entry);
    await store.write(async (writes) => {
      for (const { time, user, action, subject, site, requestId } of fresh.values())
        await writes.addAudit({
          org,
          time: new Date(time),
          user,
          action: `${action}/${subject}`,
          requestId,
          ...(site !== undefined && { site }),
        });
    });
    // After the entries: rather is one there twice, where the service ends between the two, than not at all.
    const until = new Date(now().getTime() + RECOGNIZED);
    for (const id of fresh.keys()) await store.shortLived.put('told', id, true, until);
    return { result: 'removed' };
  };
}
