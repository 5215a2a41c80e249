import { z } from 'zod';
import type { BranchChange } from '@repoless/contract/build-management-deliveries.ts';
import { branchChange, branchOf, pushEvent, readPayload, readPush } from '../read-payload.ts';
import { isHexSigned } from '../signatures.ts';
import type { VendorEvents } from '../vendor-events.ts';

const Side = z.looseObject({ type: z.string(), name: z.string(), target: z.looseObject({ hash: z.string() }).optional() });
/** Bitbucket Cloud: `repo:push`. */
const CloudPush = z.looseObject({
  push: z.looseObject({ changes: z.array(z.looseObject({ new: Side.nullish(), old: Side.nullish() })) }),
});
/** Bitbucket Data Center: `repo:refs_changed`. */
const DataCenterPush = z.looseObject({
  changes: z.array(z.looseObject({ ref: z.looseObject({ id: z.string() }), toHash: z.string(), type: z.string() })),
});

export const bitbucket: VendorEvents = {
  signedBy: 'X-Hub-Signature',
  isRepeatable: true,
  isSigned: ({ headers, bytes }, secret) => isHexSigned(headers['x-hub-signature'], bytes, secret),
  async read({ headers, bytes, org }) {
    const about = {
      deliveryId: headers['x-request-uuid'] ?? headers['x-request-id'],
      event: headers['x-event-key'] ?? 'unknown',
    };
    const payload = await readPayload(bytes, org);
    switch (about.event) {
      case 'repo:push':
        return pushEvent(about, readPush(CloudPush, payload).push.changes.map(cloudChange));
      case 'repo:refs_changed': {
        const { changes } = readPush(DataCenterPush, payload);
        return pushEvent(
          about,
          changes.map(({ ref, toHash, type }) => branchChange(branchOf(ref.id), type === 'DELETE' ? null : toHash)),
        );
      }
      default:
        return { ...about, changes: [], ignored: `The event "${about.event}" changes no code.` };
    }
  },
};

/** `new` is null where the branch was deleted. */
function cloudChange({ new: after, old: before }: z.infer<typeof CloudPush>['push']['changes'][number]): BranchChange | undefined {
  const side = after ?? before;
  if (side === null || side === undefined || !['branch', 'named_branch'].includes(side.type)) return undefined;
  if (after === null || after === undefined) return { branch: side.name, type: 'deleted' };
  return { branch: side.name, type: 'updated', ...(after.target !== undefined && { commit: after.target.hash }) };
}
