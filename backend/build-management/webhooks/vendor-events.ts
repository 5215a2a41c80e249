import type { BranchChange, GitVendor } from '@repoless/contract/build-management.ts';
import { codeSentence } from '@repoless/contract/code-sentences.ts';
import { createHmac } from 'node:crypto';
import { z } from 'zod';
import { isHexSigned, sameText } from '../../domain/presented-secret.ts';
import type { RequestHeaders } from '../../http/parse-request.ts';
import { branchChange, branchOf, pushEvent, readPayload, readPush, type VendorEvent } from './read-payload.ts';

/** A received event: nothing of it is parsed before its signature has been checked. */
export interface ReceivedWebhook {
  readonly headers: RequestHeaders;
  readonly bytes: Uint8Array;
  /** The organization of the repository: a large event waits only for other large ones of the same organization. */
  readonly org: string;
}

/** How a vendor signs and describes pushes. */
interface VendorEvents {
  /** Where the signature is expected, as shown to the person who sets up the webhook. */
  readonly signedBy: string;
  /** The signature covers only the bytes, so they can be resent under another name. */
  readonly isRepeatable?: true;
  /** Compares in constant time, over the raw bytes. */
  isSigned(event: ReceivedWebhook, secret: string, now: Date): boolean;
  /** Rejects with BODY_UNPARSABLE or BODY_INVALID. */
  read(event: ReceivedWebhook): Promise<VendorEvent>;
}

/** The user name of basic credentials. */
export const WEBHOOK_USER = 'webhook';

const GithubPush = z.looseObject({ ref: z.string(), after: z.string(), deleted: z.boolean().optional() });

/** GitHub Enterprise, and other vendors that send events in its form (Gitea, Forgejo). */
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
    if (about.event !== 'push') return { ...about, changes: [], ignored: codeSentence('eventWithoutCode', { event: about.event }) };
    const push = readPush(GithubPush, payload);
    const branch = branchOf(push.ref);
    if (branch !== undefined && push.deleted === true) return pushEvent(about, [{ branch, type: 'deleted' }]);
    return pushEvent(about, [branchChange(branch, push.after)]);
  },
};

const GitlabPush = z.looseObject({ object_kind: z.string().optional(), ref: z.string(), after: z.string() });
const PUSHES = ['Push Hook', 'System Hook'];
const SIGNING_KEY = /^whsec_([A-Za-z0-9+/]+={0,2})$/;
/** Maximum age of a signed event in seconds, so that a recorded one cannot be replayed later. */
const TOLERANCE = 300;

/**
 * GitLab sends the secret itself in `X-Gitlab-Token`, or, with its newer signing token, an HMAC over
 * `<webhook-id>.<webhook-timestamp>.<body>` in `webhook-signature`. If there is a signature, only that counts.
 */
const gitlab: VendorEvents = {
  signedBy: 'X-Gitlab-Token (or webhook-signature)',
  isSigned(event, secret, now) {
    if (event.headers['webhook-signature'] !== undefined) return isStandardSigned(event, secret, now);
    return sameText(event.headers['x-gitlab-token'], secret);
  },
  async read({ headers, bytes, org }) {
    const about = {
      deliveryId: headers['webhook-id'] ?? headers['idempotency-key'] ?? headers['x-gitlab-event-uuid'],
      event: headers['x-gitlab-event'] ?? 'unknown',
    };
    const payload = await readPayload(bytes, org);
    const kind = z.looseObject({ object_kind: z.string().optional() }).safeParse(payload).data?.object_kind;
    if (!PUSHES.includes(about.event) || (kind !== undefined && kind !== 'push'))
      return { ...about, changes: [], ignored: codeSentence('eventWithoutCode', { event: about.event }) };
    const push = readPush(GitlabPush, payload);
    return pushEvent(about, [branchChange(branchOf(push.ref), push.after)]);
  },
};

function isStandardSigned({ headers, bytes }: ReceivedWebhook, secret: string, now: Date): boolean {
  const { 'webhook-id': id = '', 'webhook-timestamp': timestamp = '', 'webhook-signature': signatures = '' } = headers;
  const encoded = SIGNING_KEY.exec(secret)?.[1];
  const key = encoded === undefined ? Buffer.from(secret) : Buffer.from(encoded, 'base64');
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(bytes).digest('base64');
  const isSigned = signatures.split(' ').some((one) => sameText(one, `v1,${expected}`));
  const age = Math.abs(now.getTime() / 1000 - Number(timestamp));
  return isSigned && /^\d{1,12}$/.test(timestamp) && age <= TOLERANCE;
}

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
        return { ...about, changes: [], ignored: codeSentence('eventWithoutCode', { event: about.event }) };
    }
  },
};

/** `new` is null if the branch was deleted. */
function cloudChange({ new: after, old: before }: z.infer<typeof CloudPush>['push']['changes'][number]): BranchChange | undefined {
  const side = after ?? before;
  if (side === null || side === undefined || !['branch', 'named_branch'].includes(side.type)) return undefined;
  if (after === null || after === undefined) return { branch: side.name, type: 'deleted' };
  return { branch: side.name, type: 'updated', ...(after.target !== undefined && { commit: after.target.hash }) };
}

const Notification = z.looseObject({ id: z.string().optional(), eventType: z.string() });
const AzurePush = z.looseObject({
  resource: z.looseObject({ refUpdates: z.array(z.looseObject({ name: z.string(), newObjectId: z.string() })) }),
});

/** Azure DevOps does not sign: it sends the basic credentials that were entered for its service hook. */
const azureDevops: VendorEvents = {
  signedBy: 'Authorization (basic credentials)',
  isSigned({ headers }, secret) {
    const encoded = /^Basic ([A-Za-z0-9+/]+={0,2})$/i.exec(headers['authorization']?.trim() ?? '')?.[1];
    const presented = encoded === undefined ? undefined : Buffer.from(encoded, 'base64').toString();
    return sameText(presented, `${WEBHOOK_USER}:${secret}`);
  },
  async read({ bytes, org }) {
    const payload = await readPayload(bytes, org);
    const { id, eventType } = readPush(Notification, payload);
    const about = { deliveryId: id, event: eventType };
    if (eventType !== 'git.push') return { ...about, changes: [], ignored: codeSentence('eventWithoutCode', { event: eventType }) };
    const { refUpdates } = readPush(AzurePush, payload, 'Set "Resource details to send" to "All".').resource;
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
};

export function eventsOf(vendor: GitVendor): VendorEvents {
  return EVENTS[vendor];
}
