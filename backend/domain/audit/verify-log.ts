import type { AuditVerification } from '#contract/audit.ts';
import type { endpoints } from '#contract/endpoints.ts';
import { LIMITS } from '#contract/limits.ts';
import type { Operation } from '../operation.ts';
import { verifyChain } from './verify-chain.ts';

/** Whether the audit trail of an organization is as it was written. */
export const verifyLog: Operation<(typeof endpoints)['verifyLog']> = async ({ store }, { params: { org }, query: { after = 0 } }) => {
  const chain = await verifyChain(store.reads, org, { after, limit: LIMITS.verifiedEntries });
  const next = chain.goesOn ? `/config/${org}/log/verification.json?after=${chain.verified.to}` : undefined;
  const body: AuditVerification = {
    intact: chain.broken === undefined,
    verified: chain.verified,
    hash: chain.hash,
    ...(chain.broken !== undefined && { broken: chain.broken }),
    ...(chain.removed !== undefined && { removed: chain.removed }),
    ...(chain.sealed !== undefined && { sealed: chain.sealed }),
    links: next === undefined ? {} : { next },
  };
  return { result: 'done', body, ...(next === undefined ? {} : { headers: { link: `<${next}>; rel="next"` } }) };
};
