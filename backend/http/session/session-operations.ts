import type { endpoints } from '@repoless/contract/endpoints.ts';
import type { sessionEndpoints } from '@repoless/contract/session-endpoints.ts';
import { DEVICE_INTERVAL } from '../../sessions/device.ts';
import { createDevicePace } from '../../sessions/device-pace.ts';
import { createDeviceSlots } from '../../sessions/device-slots.ts';
import { acknowledgeOperation } from './acknowledge.ts';
import { approveDeviceOperation, devicePageOperation } from './device-page.ts';
import { authorizeDeviceOperation, deviceTokenOperation } from './device-token.ts';
import { endSessionsOperation, logoutOperation } from './end-sessions.ts';
import { loginOperations } from './login.ts';
import { profileOperation } from './profile.ts';
import type { SessionServices } from './services.ts';
import { sessionTallies } from './session-tallies.ts';
import type { HttpOperation } from '../answer.ts';

export type SessionOperations = { readonly [Id in keyof typeof sessionEndpoints]: HttpOperation<(typeof sessionEndpoints)[Id]> };

/** The calls of docs/contract.md 4.6. */
export function sessionOperations(given: Omit<SessionServices, 'tallies' | 'deviceSlots' | 'devicePace'>): SessionOperations {
  const devices = { deviceSlots: createDeviceSlots(), devicePace: createDevicePace(DEVICE_INTERVAL) };
  const services: SessionServices = { ...given, tallies: sessionTallies(), ...devices };
  return {
    ...loginOperations(services),
    acknowledge: acknowledgeOperation(services),
    profile: profileOperation(services),
    logout: logoutOperation(services),
    endSessions: endSessionsOperation(services),
    keys: () => Promise.resolve({ status: 200, body: services.tokens.keySet() }),
    exchangeToken: exchangeOperation(services),
    authorizeDevice: authorizeDeviceOperation(services),
    deviceToken: deviceTokenOperation(services),
    devicePage: devicePageOperation(services),
    approveDevice: approveDeviceOperation(services),
  };
}

/** Our token ends with the one that it was exchanged for: an exchange must not prolong somebody's access. */
function exchangeOperation(services: SessionServices): HttpOperation<(typeof endpoints)['exchangeToken']> {
  return async (_context, { body }) => {
    const { identity, exp } = await services.trustedIssuers.identify(body.token);
    return { status: 200, body: await services.tokens.issue(identity, { notAfter: exp }), user: identity.email };
  };
}
