import type { endpoints } from '@repoless/contract/endpoints.ts';
import { DEVICE_GRANT } from '@repoless/contract/session.ts';
import { askDevice, startDeviceAuthorization, DEVICE_INTERVAL, DEVICE_TIME } from '../../sessions/device.ts';
import type { DeviceAnswer } from '../../sessions/device.ts';
import { widerNetworkOf } from '../client-address.ts';
import type { SessionServices } from './services.ts';
import type { HttpOperation, Reply } from '../answer.ts';

/** Begins a device authorization (RFC 8628, section 3.1). */
export function authorizeDeviceOperation(services: SessionServices): HttpOperation<(typeof endpoints)['authorizeDevice']> {
  return async (context, { body }) => {
    const { beginnings, beginningsOfNetwork } = services.tallies;
    const network = widerNetworkOf(context.address);
    beginnings.take(context.address, context.now());
    beginningsOfNetwork.take(network, context.now());
    const { deviceCode, userCode } = await startDeviceAuthorization(context, services.deviceSlots, { client: body?.client_id, network });
    const page = `${services.publicAddress}/device`;
    const answer = {
      device_code: deviceCode,
      user_code: userCode,
      verification_uri: page,
      verification_uri_complete: `${page}?user_code=${userCode}`,
      expires_in: DEVICE_TIME,
      interval: DEVICE_INTERVAL,
    };
    return { status: 200, body: answer };
  };
}

/** The device asks for its token (RFC 8628, section 3.4). */
export function deviceTokenOperation(services: SessionServices): HttpOperation<(typeof endpoints)['deviceToken']> {
  return async (context, { body }) => {
    if (body.grant_type !== DEVICE_GRANT) return refused('unsupported_grant_type', `Send grant_type=${DEVICE_GRANT}.`);
    if (body.device_code === undefined) return refused('invalid_request', 'Send the device_code that the authorization began with.');
    const { guesses } = services.tallies;
    if (guesses.isFull(context.address, context.now())) return refused('slow_down', SENTENCES.slow_down);
    const answer = await askDevice(context, services.devicePace, body.device_code);
    if (answer.kind === 'invalid_grant') guesses.take(context.address, context.now());
    if (answer.kind !== 'allowed') return refused(answer.kind, SENTENCES[answer.kind]);
    // The person who allowed it has ended all sessions since: what one of them started ends with it.
    if (answer.issuedAfter < (await services.tokens.lastEnd(answer.identity.email))) return refused('access_denied', SENTENCES.ended);
    const seconds = Math.floor(context.now().getTime() / 1000);
    // What a session allows is no longer one than itself (docs/contract.md 4.7).
    const { notAfter = Infinity } = answer;
    if (notAfter <= seconds) return refused('access_denied', SENTENCES.ended);
    const { token, exp } = await services.tokens.issue(answer.identity, { notAfter });
    const expiresIn = exp - seconds;
    return { status: 200, body: { access_token: token, token_type: 'Bearer', expires_in: expiresIn }, user: answer.identity.email };
  };
}

const SENTENCES: Record<Exclude<DeviceAnswer['kind'], 'allowed'> | 'ended', string> = {
  authorization_pending: 'The user has not decided yet. Request again after the interval.',
  slow_down: 'The request came too soon. Increase the interval between requests by five seconds.',
  access_denied: 'The user denied the device.',
  ended: 'The session that allowed the device has ended. Start again.',
  expired_token: 'The code has expired. Start again.',
  invalid_grant: 'The device code is unknown or was already used. Start again.',
};

function refused(error: string, sentence: string): Reply {
  const code = error === 'authorization_pending' || error === 'slow_down' ? 'DEVICE_PENDING' : 'BODY_INVALID';
  return { status: 400, body: { error, error_description: sentence }, headers: { 'x-error': sentence, 'x-error-code': code } };
}
