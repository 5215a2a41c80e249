import type { AuditVerification } from '@repoless/contract/audit.ts';
import type { endpoints } from '@repoless/contract/endpoints.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import type { Context } from '../../domain/context.ts';
import { createFairShare } from '../../domain/fair-share.ts';
import type { Input, Operation } from '../../domain/operation.ts';
import { verifyChain } from './verify-chain.ts';

type VerifyLog = (typeof endpoints)['verifyLog'];

/**
 * Whether the audit trail of an organization is as it was written. A long one takes a quarter of a second of the one thread that all
 * share, so that verifications take turns: one of an organization, two of all. Refuses with OVERLOADED where too many wait.
 */
export function verifyLog(): Operation<VerifyLog> {
  const share = createFairShare(VERIFICATIONS);
  return async (context, input) => await share.run(input.params.org, async () => await verified(context, input));
}

const VERIFICATIONS = {
  atOnce: 2,
  perShare: 1,
  waitingPerShare: LIMITS.verificationsWaiting,
  waiting: 40,
  called: 'verifications of the audit trail',
};

async function verified({ store }: Context, { params: { org }, query: { after = 0 } }: Input<VerifyLog>): ReturnType<Operation<VerifyLog>> {
  const chain = await verifyChain(store.reads, org, { after, limit: LIMITS.verifiedEntries });
  const next = chain.goesOn ? `/config/${org}/log/verification.json?after=${chain.verified.to}` : undefined;
  const body: AuditVerification = {
    intact: chain.broken === undefined,
    verified: chain.verified,
    hash: chain.hash,
    ...(chain.broken !== undefined && { broken: chain.broken }),
    links: next === undefined ? {} : { next },
  };
  return { result: 'done', body, ...(next === undefined ? {} : { headers: { link: `<${next}>; rel="next"` } }) };
}
