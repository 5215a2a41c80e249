import {
  DEVICE_GRANT,
  type DeviceAuthorization,
  DeviceToken,
  DeviceTokenRefused,
  sessionEndpoints,
  type SessionToken,
  SignInMessage,
} from '@repoless/contract/session.ts';
import type { Failure, Known } from '../situation/call.ts';
import { type Client, printAddress } from './client.ts';
import { parseJson, refusal } from './exchange.ts';

export type DeviceSignIn =
  | { readonly outcome: 'signed-in'; readonly token: SessionToken }
  | { readonly outcome: 'denied' | 'expired' | 'stopped' }
  | { readonly outcome: 'failed'; readonly failure: Failure };

export interface Polling {
  readonly signal: AbortSignal;
  wait(milliseconds: number, signal: AbortSignal): Promise<void>;
  now(): Date;
}

/** Starts a device authorization (RFC 8628): the codes to show, and the address where they are entered. */
export async function startDeviceSignIn(client: Client): Promise<Known<DeviceAuthorization>> {
  const answer = await client.call(sessionEndpoints.authorizeDevice, { params: {}, body: {} });
  return answer.ok ? { state: 'known', value: answer.value } : { state: 'failed', failure: answer.failure };
}

/** Polls for the token, as often as the service allows, until the person decides or the code expires. */
export async function pollDeviceSignIn(client: Client, device: DeviceAuthorization, polling: Polling): Promise<DeviceSignIn> {
  const end = polling.now().getTime() + device.expires_in * 1000;
  let interval = device.interval * 1000;
  while (polling.now().getTime() < end) {
    await polling.wait(interval, polling.signal);
    if (polling.signal.aborted) return { outcome: 'stopped' };
    const answer = await requestToken(client, device, polling);
    if (answer === 'pending') continue;
    if (answer !== 'slow-down') return answer;
    interval += SLOWER;
  }
  return { outcome: 'expired' };
}

async function requestToken(
  client: Client,
  device: DeviceAuthorization,
  { now }: Polling,
): Promise<DeviceSignIn | 'pending' | 'slow-down'> {
  const answer = await client.request({
    method: 'POST',
    path: sessionEndpoints.deviceToken.path,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ grant_type: DEVICE_GRANT, device_code: device.device_code }),
  });
  // RFC 8628, 3.5: continue after a timeout.
  if (!answer.ok) return 'slow-down';
  const body = parseJson(answer.received.text);
  const token = DeviceToken.safeParse(body);
  if (token.success) {
    const exp = Math.floor(now().getTime() / 1000) + token.data.expires_in;
    return { outcome: 'signed-in', token: { token: token.data.access_token, exp } };
  }
  const refused = DeviceTokenRefused.safeParse(body);
  if (!refused.success) return { outcome: 'failed', failure: refusal(answer.received) };
  switch (refused.data.error) {
    case 'authorization_pending':
      return 'pending';
    case 'slow_down':
      return 'slow-down';
    case 'access_denied':
      return { outcome: 'denied' };
    case 'expired_token':
    case 'invalid_grant':
      return { outcome: 'expired' };
    default:
      return { outcome: 'failed', failure: refusal(answer.received) };
  }
}

/** RFC 8628, 3.5: `slow_down` adds five seconds to the interval. */
const SLOWER = 5_000;

/** Milliseconds between checks whether the window was closed; there is no event for that. */
const POLL_EVERY = 500;

export type WindowSignIn =
  | { readonly outcome: 'signed-in'; readonly message: SignInMessage }
  /** The browser or the frame's sandbox allows no windows: sign in by device. */
  | { readonly outcome: 'window-refused' }
  | { readonly outcome: 'closed' };

/**
 * Signs in in a separate window, which sends the token by postMessage. Must be called from a click. Takes the
 * service's address, the extension's window, and a signal that cancels it.
 */
export function signInByWindow(service: string, self: Window, signal: AbortSignal): Promise<WindowSignIn> {
  const address = `${service}${printAddress('/login', {}, { origin: self.location.origin })}`;
  const popup = openWindow(self, address);
  if (popup === null) return Promise.resolve({ outcome: 'window-refused' });
  return new Promise((resolve) => {
    const end = (result: WindowSignIn) => {
      self.clearInterval(polling);
      self.removeEventListener('message', receive);
      signal.removeEventListener('abort', abort);
      resolve(result);
    };
    const receive = (event: MessageEvent<unknown>) => {
      if (event.origin !== new URL(service).origin || event.source !== popup) return;
      const message = SignInMessage.safeParse(event.data);
      if (message.success) end({ outcome: 'signed-in', message: message.data });
    };
    const abort = () => {
      popup.close();
      end({ outcome: 'closed' });
    };
    const polling = self.setInterval(() => popup.closed && end({ outcome: 'closed' }), POLL_EVERY);
    self.addEventListener('message', receive);
    signal.addEventListener('abort', abort);
  });
}

function openWindow(self: Window, address: string): Window | null {
  try {
    return self.open(address, 'repoless-sign-in', 'popup,width=520,height=680');
  } catch {
    return null;
  }
}
