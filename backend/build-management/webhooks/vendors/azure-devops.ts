import { z } from 'zod';
import { branchChange, branchOf, pushEvent, readPayload, readPush } from '../read-payload.ts';
import { isSameText } from '../signatures.ts';
import { WEBHOOK_USER } from '../vendor-events.ts';
import type { VendorEvents } from '../vendor-events.ts';

const Notification = z.looseObject({ id: z.string().optional(), eventType: z.string() });
const Push = z.looseObject({
  resource: z.looseObject({ refUpdates: z.array(z.looseObject({ name: z.string(), newObjectId: z.string() })) }),
});

/** Azure DevOps does not sign: it shows the basic credentials that were entered at its service hook. */
export const azureDevops: VendorEvents = {
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
