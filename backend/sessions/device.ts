import { LIMITS } from '@repoless/contract/limits.ts';
import { LRUCache } from 'lru-cache';
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { Refusal } from '@repoless/contract/refusal.ts';
import { type Context, unguessable } from '../domain/context.ts';
import { Identity } from './identity.ts';

/** Seconds for a user to enter the code, and between two polls of the device. */
export const DEVICE_TIME = 10 * 60;
export const DEVICE_INTERVAL = 5;
/** An expired authorization is still known for this many seconds, so that the device learns that it has expired. */
const AFTERLIFE = 10 * 60;

const Decision = z.discriminatedUnion('decision', [
  z.object({
    decision: z.literal('allow'),
    identity: Identity,
    /** From the session that allowed it. */
    issuedAfter: z.number().optional(),
    /** When that session expires, in seconds since 1970; absent if an older program stored it. */
    notAfter: z.number().optional(),
  }),
  z.object({ decision: z.literal('deny') }),
]);
export type Decision = z.infer<typeof Decision>;

export type DeviceAnswer =
  | { readonly kind: 'allowed'; readonly identity: Identity; readonly issuedAfter: number; readonly notAfter?: number }
  | { readonly kind: 'authorization_pending' | 'slow_down' | 'access_denied' | 'expired_token' | 'invalid_grant' };

/** Returns the device's code (a secret) and the one for its user. Refuses with RATE_LIMITED at the limit. */
export async function startDeviceAuthorization(
  context: Context,
  slots: DeviceSlots,
  { client, network }: { readonly client: string | undefined; readonly network: string },
): Promise<{ deviceCode: string; userCode: string }> {
  await slots.free(context);
  const deviceCode = unguessable(context);
  const userCode = printUserCode(context.newId());
  const started = context.now().getTime();
  const request: DeviceRequest = {
    device: keyOf(deviceCode),
    userCode,
    started,
    expires: started + DEVICE_TIME * 1000,
    network,
    ...(client !== undefined && { client }),
  };
  await context.store.shortLived.put('device', request.device, request, forgottenAt(request));
  await context.store.shortLived.put('user-code', userCode, request, new Date(request.expires));
  return { deviceCode, userCode };
}

/** Of two concurrent polls with the same code, one gets the identity, and only that one stores anything. */
export async function requestDevice(context: Context, pace: DevicePace, deviceCode: string): Promise<DeviceAnswer> {
  const { shortLived } = context.store;
  const request = DeviceRequest.safeParse(await shortLived.get('device', keyOf(deviceCode)));
  if (!request.success) return { kind: 'invalid_grant' };
  const { device } = request.data;
  if (pace.isTooSoon(device, context.now())) return { kind: 'slow_down' };
  const decision = Decision.safeParse(await shortLived.get('device', decisionKey(device)));
  if (!decision.success) return { kind: request.data.expires <= context.now().getTime() ? 'expired_token' : 'authorization_pending' };
  if ((await shortLived.take('device', device)) === undefined) return { kind: 'invalid_grant' };
  if (decision.data.decision === 'deny') return { kind: 'access_denied' };
  const { identity, issuedAfter = 0, notAfter } = decision.data;
  return { kind: 'allowed', identity, issuedAfter, ...(notAfter === undefined ? {} : { notAfter }) };
}

/** The request of a user code that waits for its decision; spaces, lower case and a missing hyphen are accepted. */
export async function findDevice(context: Context, entered: string): Promise<DeviceRequest | undefined> {
  return waiting(context, await context.store.shortLived.get('user-code', readUserCode(entered)));
}

/** Decides; undefined if the code is unknown, expired or already decided. */
export async function decideDevice(context: Context, entered: string, decision: Decision): Promise<DeviceRequest | undefined> {
  const taken = waiting(context, await context.store.shortLived.take('user-code', readUserCode(entered)));
  if (taken === undefined) return undefined;
  await context.store.shortLived.put('device', decisionKey(taken.device), decision, forgottenAt(taken));
  return taken;
}

function waiting(context: Context, stored: unknown): DeviceRequest | undefined {
  const request = DeviceRequest.safeParse(stored);
  return request.success && request.data.expires > context.now().getTime() ? request.data : undefined;
}

/** Consonants that are hard to confuse and spell no words. */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ';

function printUserCode(random: string): string {
  const letters = [...createHash('sha256').update(random).digest()].filter((byte) => byte < 240).slice(0, 8);
  const code = letters.map((byte) => LETTERS[byte % LETTERS.length]).join('');
  return `${code.slice(0, 4)}-${code.slice(4)}`;
}

function readUserCode(entered: string): string {
  const code = entered.toUpperCase().replace(/[^A-Z]/g, '');
  return `${code.slice(0, 4)}-${code.slice(4)}`;
}

/** The code itself is not stored: readers of the store cannot take the token. */
function keyOf(deviceCode: string): string {
  return createHash('sha256').update(deviceCode).digest('base64url');
}

const decisionKey = (device: string) => `${device}.decision`;
const forgottenAt = (request: DeviceRequest) => new Date(request.expires + AFTERLIFE * 1000);

/** How often devices poll for their tokens, on this node; lost at a restart, and not shared with other nodes. */
export interface DevicePace {
  /** Records a poll. Returns whether it came before the end of the interval; that adds as many seconds (RFC 8628, section 3.5). */
  isTooSoon(device: string, now: Date): boolean;
}

export function createDevicePace(interval: number): DevicePace {
  const polls = new LRUCache<string, { readonly at: number; readonly wait: number }>({ max: MAX_DEVICES });
  return {
    isTooSoon(device, now) {
      const before = polls.get(device);
      const soon = before !== undefined && now.getTime() - before.at < before.wait * 1000;
      const wait = (before?.wait ?? interval) + (soon ? interval : 0);
      polls.set(device, { at: now.getTime(), wait });
      return soon;
    },
  };
}

const MAX_DEVICES = 20_000;

/** A device authorization (RFC 8628) in progress. Times are milliseconds since 1970. */
export const DeviceRequest = z.object({
  device: z.string(),
  userCode: z.string(),
  /** The device's own name; any device may use any name. */
  client: z.string().optional(),
  /** Its network; absent if an older program stored it. */
  network: z.string().optional(),
  started: z.number(),
  expires: z.number(),
});
export type DeviceRequest = z.infer<typeof DeviceRequest>;

export interface DeviceSlots {
  /**
   * Frees a slot if none is free: evicts the oldest of the networks with the most, so that no one uses up the slots of others. Refuses with
   * RATE_LIMITED if nothing can be evicted.
   */
  free(context: Pick<Context, 'store'>): Promise<void>;
}

/** For one process; open ones are counted in the storage, for all nodes. */
export function createDeviceSlots(): DeviceSlots {
  let displacing: Promise<void> | undefined;
  return {
    async free(context) {
      if ((await context.store.shortLived.count('user-code')) < LIMITS.openDeviceAuthorizations) return;
      await (displacing ??= displace(context).finally(() => (displacing = undefined)));
      await requireFewOpen(context);
    },
  };
}

/** Reads all, so it evicts several at once. First those followed by the most newer ones of the same network, among them the oldest. */
async function displace({ store: { shortLived } }: Pick<Context, 'store'>): Promise<void> {
  const open = (await shortLived.list('user-code', '')).flatMap((value) => DeviceRequest.safeParse(value).data ?? []);
  const ofNetwork = new Map<string, number>();
  const ranked = open
    .toSorted((one, other) => other.started - one.started)
    .map((request) => {
      const { network = '' } = request;
      const newer = ofNetwork.get(network) ?? 0;
      ofNetwork.set(network, newer + 1);
      return { ...request, newer };
    });
  const evicted = ranked.toSorted((one, other) => other.newer - one.newer || one.started - other.started).slice(0, TOGETHER);
  await Promise.all(evicted.flatMap(({ userCode, device }) => [shortLived.take('user-code', userCode), shortLived.take('device', device)]));
}

const TOGETHER = 100;

/** Refuses a further authorization at the limit for all callers together. */
async function requireFewOpen({ store }: Pick<Context, 'store'>): Promise<void> {
  if ((await store.shortLived.count('user-code')) < LIMITS.openDeviceAuthorizations) return;
  throw new Refusal('RATE_LIMITED', 'Too many device authorizations are open right now. Try again in a minute.', { retryAfter: 60 });
}
