import type { BranchChange } from '@repoless/contract/build-management-deliveries.ts';
import type { GitVendor } from '@repoless/contract/build-management.ts';
import { z } from 'zod';
import { branchChange, branchOf, pushEvent, readPayload, readPush } from '../read-payload.ts';
import { isHexSigned, isSameText } from '../signatures.ts';
import { type VendorEvents, WEBHOOK_USER } from '../vendor-events.ts';
import { githubEnterprise } from './github-enterprise.ts';
import { gitlab } from './gitlab.ts';

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

const Notification = z.looseObject({ id: z.string().optional(), eventType: z.string() });
const Push = z.looseObject({
  resource: z.looseObject({ refUpdates: z.array(z.looseObject({ name: z.string(), newObjectId: z.string() })) }),
});

/** Azure DevOps does not sign: it shows the basic credentials that were entered at its service hook. */
const azureDevops: VendorEvents = {
  signedBy: 'Authorization (basic credentials)',
  isSigned({ headers }, secret) {
    const encoded = /^Basic ([A-Za-z0-9+/]+={0,2})$/i.exec(headers['authorization']?.trim() ?? '')?.[1];
    const presented = encoded === undefined ? undefined : Buffer.from(encoded, 'base64').toString();
    return isSameText(presented, `${WEBHOOK_USER}:${secret}`);
  },
  async read({ bytes, org }) {
    const payload = await readPayload(bytes, org);
    const { id, eventType } = readPush(Notification, payload);
    const about = { deliveryId: id, event: eventType };
    if (eventType !== 'git.push') return { ...about, changes: [], ignored: `The event "${eventType}" changes no code.` };
    const { refUpdates } = readPush(Push, payload, 'Set "Resource details to send" to "All".').resource;
    return pushEvent(
      about,
      refUpdates.map(({ name, newObjectId }) => branchChange(branchOf(name), newObjectId)),
    );
  },
};

const EVENTS: Readonly<Record<GitVendor, VendorEvents>> = {
  'github-enterprise': githubEnterprise,
  bitbucket,
  gitlab,
  'azure-devops': azureDevops,
  other: githubEnterprise,
  // Its pushes arrive here themselves: it has no webhook whose signature could fit.
};

export function eventsOf(vendor: GitVendor): VendorEvents {
  return EVENTS[vendor];
}
