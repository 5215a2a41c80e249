import { Refusal } from '@repoless/contract/refusal.ts';
import type { CheckId } from '@repoless/contract/site-check.ts';
import type { Call } from './call.ts';
import { load, SITE } from './document.ts';
import type { Raw } from './documents.ts';
import type { StoredRollout, StoredRolloutSite } from './rollout-document.ts';
import { lookAtSite } from './site-look.ts';

/** The failing checks of a site, before it is changed or after its wave. */
export async function wrongAt(
  call: Call,
  shown: Raw,
  { id, wave }: Pick<StoredRollout, 'id' | 'wave'>,
  when: 'before' | 'after',
): Promise<CheckId[]> {
  const findings = await lookAtSite(call, shown, `${id} ${wave} ${when}`);
  return findings.filter(({ verdict }) => verdict === 'wrong').map(({ check }) => check);
}

/** The same, reading the site first. A site that is missing, or that the caller may no longer read, is not evaluated. */
export async function wrongNow(call: Call, rollout: Pick<StoredRollout, 'id' | 'wave'>, when: 'before' | 'after'): Promise<CheckId[]> {
  const present = await load(call, SITE).catch((error: unknown) => {
    if (error instanceof Refusal && error.code === 'NOT_AUTHORIZED') return undefined;
    throw error;
  });
  return present === undefined ? [] : await wrongAt(call, present.shown, rollout, when);
}

/** A changed site that has not been checked since. A site without a check before the change is not compared. */
export function isUnjudged({ state, wrong, worse }: StoredRolloutSite): boolean {
  return (state === 'changed' || state === 'staged') && wrong !== undefined && worse === undefined;
}
