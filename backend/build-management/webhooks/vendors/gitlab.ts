import { createHmac } from 'node:crypto';
import { z } from 'zod';
import { branchChange, branchOf, pushEvent, readPayload, readPush } from '../read-payload.ts';
import { isSameText } from '../signatures.ts';
import type { ReceivedWebhook, VendorEvents } from '../vendor-events.ts';

const Push = z.looseObject({ object_kind: z.string().optional(), ref: z.string(), after: z.string() });
const PUSHES = ['Push Hook', 'System Hook'];
const SIGNING_KEY = /^whsec_([A-Za-z0-9+/]+={0,2})$/;
/** Seconds that a signed event may be old, so that one that was recorded cannot be sent again later. */
const TOLERANCE = 300;

/**
 * GitLab sends the secret itself in `X-Gitlab-Token`, or, with its newer signing token, an HMAC over
 * `<webhook-id>.<webhook-timestamp>.<body>` in `webhook-signature`. Where a signature came it alone decides.
 */
export const gitlab: VendorEvents = {
  signedBy: 'X-Gitlab-Token (or webhook-signature)',
  isSigned(event, secret, now) {
    if (event.headers['webhook-signature'] !== undefined) return isStandardSigned(event, secret, now);
    return isSameText(event.headers['x-gitlab-token'], secret);
  },
  async read({ headers, bytes, org }) {
    const about = {
      deliveryId: headers['webhook-id'] ?? headers['idempotency-key'] ?? headers['x-gitlab-event-uuid'],
      event: headers['x-gitlab-event'] ?? 'unknown',
    };
    const payload = await readPayload(bytes, org);
    const kind = z.looseObject({ object_kind: z.string().optional() }).safeParse(payload).data?.object_kind;
    if (!PUSHES.includes(about.event) || (kind !== undefined && kind !== 'push'))
      return { ...about, changes: [], ignored: `The event "${about.event}" changes no code.` };
    const push = readPush(Push, payload);
    return pushEvent(about, [branchChange(branchOf(push.ref), push.after)]);
  },
};

function isStandardSigned({ headers, bytes }: ReceivedWebhook, secret: string, now: Date): boolean {
  const { 'webhook-id': id = '', 'webhook-timestamp': timestamp = '', 'webhook-signature': signatures = '' } = headers;
  const encoded = SIGNING_KEY.exec(secret)?.[1];
  const key = encoded === undefined ? Buffer.from(secret) : Buffer.from(encoded, 'base64');
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(bytes).digest('base64');
  const isSigned = signatures.split(' ').some((one) => isSameText(one, `v1,${expected}`));
  const age = Math.abs(now.getTime() / 1000 - Number(timestamp));
  return isSigned && /^\d{1,12}$/.test(timestamp) && age <= TOLERANCE;
}
