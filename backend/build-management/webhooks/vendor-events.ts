import { type BranchChange, type GitVendor, BranchName } from '@repoless/contract/build-management.ts';
import { codeSentence } from '@repoless/contract/code-sentences.ts';
import { createHmac } from 'node:crypto';
import { z } from 'zod';
import { LIMITS } from '@repoless/contract/limits.ts';
import { Refusal } from '@repoless/contract/refusal.ts';
import { isHexSigned, sameText } from '../../secrets/secret-box.ts';
import type { RequestHeaders } from '../../http/parse-request.ts';
import { requireJson } from '../../domain/documents.ts';
import { runInThread, ThreadEnded } from '../../threads/in-thread.ts';

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

interface VendorEvent {
  /** The vendor's identifier of this delivery; undefined if there is none. */
  readonly deliveryId: string | undefined;
  readonly event: string;
  readonly changes: readonly BranchChange[];
  readonly ignored?: string;
}

/** The body of an event; a large one is parsed on a separate thread, and reduced to the members that the vendors' schemas read. */
export async function readPayload(bytes: Uint8Array, org: string): Promise<unknown> {
  if (bytes.length <= PARSED_AT_ONCE) return requireJson(bytes);
  const input = { bytes, names: READ, values: LIMITS.eventValues, characters: PARSED_AT_ONCE };
  const answer = await runInThread({ script: SCRIPT, input, deadline: DEADLINE, share: org }).catch((error: unknown) => {
    throw error instanceof ThreadEnded ? tooMuch('takes too long to be read. Push fewer commits at once.') : error;
  });
  if (typeof answer === 'string') return JSON.parse(answer);
  if (answer === null) throw new Refusal('BODY_UNPARSABLE', 'error parsing request body');
  const { tooMany } = TooMany.parse(answer);
  throw tooMuch(tooMany === 'values' ? `has more than ${LIMITS.eventValues} values. Push fewer commits at once.` : MANY_BRANCHES);
}

/** The body of a push as its vendor documents it. Refuses with BODY_INVALID. */
function readPush<S extends z.ZodType>(schema: S, payload: unknown, hint = ''): z.output<S> {
  const parsed = schema.safeParse(payload);
  if (parsed.success) return parsed.data;
  const field = parsed.error.issues[0]?.path.join('.') ?? '';
  throw new Refusal('BODY_INVALID', `The body is not a push event of this vendor: "${field}" is missing or invalid. ${hint}`.trim());
}

/** The event of a push, without refs that are not branches, and names that no branch can have. */
function pushEvent(about: Pick<VendorEvent, 'deliveryId' | 'event'>, changes: readonly (BranchChange | undefined)[]): VendorEvent {
  const known = changes.filter((change) => change !== undefined).filter(({ branch }) => BranchName.safeParse(branch).success);
  const last = [...new Map(known.map((change) => [change.branch, change])).values()];
  if (last.length === 0) return { ...about, changes: [], ignored: codeSentence('eventWithoutBranch') };
  if (last.length > LIMITS.eventBranches) throw tooMuch(MANY_BRANCHES);
  return { ...about, changes: last };
}

/** `refs/heads/feature/one` → `feature/one`; undefined for tags and others. */
function branchOf(ref: string): string | undefined {
  return /^refs\/heads\/(.+)$/s.exec(ref)?.[1];
}

function isMissingCommit(commit: string | null | undefined): boolean {
  return commit === null || commit === undefined || /^0+$/.test(commit);
}

function branchChange(branch: string | undefined, after: string | null | undefined): BranchChange | undefined {
  if (branch === undefined) return undefined;
  return isMissingCommit(after)
    ? { branch, type: 'deleted' }
    : { branch, type: 'updated', ...(typeof after === 'string' && { commit: after }) };
}

function tooMuch(what: string): Refusal {
  return new Refusal('BODY_INVALID', `The event ${what}`);
}

const TooMany = z.object({ tooMany: z.enum(['values', 'branches']) });

/** Maximum bytes of an event that is parsed on the main thread, within milliseconds, and maximum characters of a thread's result. */
const PARSED_AT_ONCE = 256 * 1024;
/** Milliseconds, on an otherwise busy machine: the largest event takes less than a second of processor time, at the lowest priority. */
const DEADLINE = 60_000;
const MANY_BRANCHES = 'names too many branches. Push fewer branches at once.';
/** The members that the schemas of all vendors read. */
const READ = (
  'ref after deleted object_kind push changes new old name type target hash ' + 'id toHash eventType resource refUpdates newObjectId'
).split(' ');

/** Posts the reduced event as text; null if it cannot be parsed, otherwise what there is too much of. */
const SCRIPT = `
const { parentPort, workerData } = require('node:worker_threads');
const { bytes, names, values, characters } = workerData.input;
parentPort.postMessage(answer());
function answer() {
  let count = 0;
  for (const byte of bytes) if (byte === 0x2c || byte === 0x5b || byte === 0x7b) count += 1;
  if (count > values) return { tooMany: 'values' };
  try {
    const text = JSON.stringify(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)), names);
    return text.length > characters ? { tooMany: 'branches' } : text;
  } catch {
    return null;
  }
}
`;
