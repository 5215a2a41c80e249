import { z } from 'zod';
import { branchChange, branchOf, pushEvent, readPayload, readPush } from '../read-payload.ts';
import { isHexSigned } from '../signatures.ts';
import type { VendorEvents } from '../vendor-events.ts';

const Push = z.looseObject({ ref: z.string(), after: z.string(), deleted: z.boolean().optional() });

/** GitHub Enterprise, and the further vendors that send events in its form (Gitea, Forgejo). */
export const githubEnterprise: VendorEvents = {
  signedBy: 'X-Hub-Signature-256',
  isRepeatable: true,
  isSigned: ({ headers, bytes }, secret) => isHexSigned(headers['x-hub-signature-256'], bytes, secret),
  async read({ headers, bytes, org }) {
    const about = {
      deliveryId: headers['x-github-delivery'] ?? headers['x-gitea-delivery'] ?? headers['x-forgejo-delivery'],
      event: headers['x-github-event'] ?? headers['x-gitea-event'] ?? headers['x-forgejo-event'] ?? 'unknown',
    };
    const payload = await readPayload(bytes, org);
    if (about.event !== 'push') return { ...about, changes: [], ignored: `The event "${about.event}" changes no code.` };
    const push = readPush(Push, payload);
    const branch = branchOf(push.ref);
    if (branch !== undefined && push.deleted === true) return pushEvent(about, [{ branch, type: 'deleted' }]);
    return pushEvent(about, [branchChange(branch, push.after)]);
  },
};
