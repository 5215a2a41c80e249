import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Context } from '../domain/context.ts';
import { unguessable } from '../domain/unguessable.ts';
import { DeviceRequest } from './device-request.ts';
import type { DevicePace } from './device-pace.ts';
import type { DeviceSlots } from './device-slots.ts';
import { Identity } from './identity.ts';

/** Seconds that a user has for entering the code, and between two questions of the device. */
export const DEVICE_TIME = 10 * 60;
export const DEVICE_INTERVAL = 5;
/** An expired authorization is still known for this many seconds, so that the device hears that it has expired. */
const AFTERLIFE = 10 * 60;

const Decision = z.discriminatedUnion('decision', [
  z.object({
    decision: z.literal('allow'),
    identity: Identity,
    /** Of the session that allowed it. */
    issuedAfter: z.number().optional(),
    /** When that session ends, in seconds since 1970; absent where an older program stored it. */
    notAfter: z.number().optional(),
  }),
  z.object({ decision: z.literal('deny') }),
]);
export type Decision = z.infer<typeof Decision>;

export type DeviceAnswer =
  | { readonly kind: 'allowed'; readonly identity: Identity; readonly issuedAfter: number; readonly notAfter?: number }
  | { readonly kind: 'authorization_pending' | 'slow_down' | 'access_denied' | 'expired_token' | 'invalid_grant' };

/**
 * Begins an authorization. In: what the device calls itself, and the widest network that it asks from. Out: the device's own code (a
 * secret) and the one that its user enters. Refuses with RATE_LIMITED where there is no room.
 */
export async function startDeviceAuthorization(
  context: Context,
  slots: DeviceSlots,
  { client, network }: { readonly client: string | undefined; readonly network: string },
): Promise<{ deviceCode: string; userCode: string }> {
  await slots.free(context);
  const deviceCode = unguessable(context);
  const userCode = printUserCode(context.newId());
  const begun = context.now().getTime();
  const request: DeviceRequest = {
    device: keyOf(deviceCode),
    userCode,
    begun,
    expires: begun + DEVICE_TIME * 1000,
    network,
    ...(client !== undefined && { client }),
  };
  const forgotten = forgottenAt(request);
  await context.store.shortLived.put('device', request.device, request, forgotten);
  await context.store.shortLived.put('user-code', userCode, request, new Date(request.expires));
  return { deviceCode, userCode };
}

/**
 * The device asks. Of two questions with the same code at the same time one is answered with the identity. Nothing is stored but by that
 * one: `pace` tells who asks too soon.
 */
export async function askDevice(context: Context, pace: DevicePace, deviceCode: string): Promise<DeviceAnswer> {
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

/** The request of a user code that waits for its decision; spelling with spaces, small letters or no hyphen is fine. */
export async function findDevice(context: Context, entered: string): Promise<DeviceRequest | undefined> {
  return waiting(context, await context.store.shortLived.get('user-code', readUserCode(entered)));
}

/** Decides; undefined where the code is unknown, expired or decided already. */
export async function decideDevice(context: Context, entered: string, decision: Decision): Promise<DeviceRequest | undefined> {
  const taken = waiting(context, await context.store.shortLived.take('user-code', readUserCode(entered)));
  if (taken === undefined) return undefined;
  await context.store.shortLived.put('device', decisionKey(taken.device), decision, forgottenAt(taken));
  return taken;
}

function waiting(context: Context, kept: unknown): DeviceRequest | undefined {
  const request = DeviceRequest.safeParse(kept);
  return request.success && request.data.expires > context.now().getTime() ? request.data : undefined;
}

/** Consonants that are hard to take for one another and spell no words. */
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

/** The code itself is not stored: who reads the store cannot take the token. */
function keyOf(deviceCode: string): string {
  return createHash('sha256').update(deviceCode).digest('base64url');
}

const decisionKey = (device: string) => `${device}.decision`;
const forgottenAt = (request: DeviceRequest) => new Date(request.expires + AFTERLIFE * 1000);
