import type { endpoints } from '@repoless/contract/endpoints.ts';
import { DEVICE_GRANT } from '@repoless/contract/session.ts';
import { type Context, unguessable } from '../../domain/context.ts';
import { Refusal } from '@repoless/contract/refusal.ts';
import {
  requestDevice,
  decideDevice,
  DEVICE_INTERVAL,
  DEVICE_TIME,
  type DeviceAnswer,
  type DeviceRequest,
  findDevice,
  startDeviceAuthorization,
} from '../../sessions/device.ts';
import type { TokenClaims } from '../../sessions/identity.ts';
import type { HttpOperation, Reply } from '../answer.ts';
import { widerNetworkOf } from '../caller.ts';
import { html, pageOutcome, type SessionServices, signedInBy } from './page.ts';

/** Starts a device authorization (RFC 8628, section 3.1). */
export function authorizeDeviceOperation(services: SessionServices): HttpOperation<(typeof endpoints)['authorizeDevice']> {
  return async (context, { body }) => {
    const network = widerNetworkOf(context.address);
    services.tallies.deviceAuthorizations.take(context.address, context.now());
    services.tallies.startsOfNetwork.take(network, context.now());
    const { deviceCode, userCode } = await startDeviceAuthorization(context, services.deviceSlots, { client: body?.client_id, network });
    const page = `${services.publicAddress}/device`;
    return {
      status: 200,
      body: {
        device_code: deviceCode,
        user_code: userCode,
        verification_uri: page,
        verification_uri_complete: `${page}?user_code=${userCode}`,
        expires_in: DEVICE_TIME,
        interval: DEVICE_INTERVAL,
      },
    };
  };
}

/** The device requests its token (RFC 8628, section 3.4). */
export function deviceTokenOperation(services: SessionServices): HttpOperation<(typeof endpoints)['deviceToken']> {
  return async (context, { body }) => {
    if (body.grant_type !== DEVICE_GRANT) return refused('unsupported_grant_type', `Send grant_type=${DEVICE_GRANT}.`);
    if (body.device_code === undefined) return refused('invalid_request', 'Send the device_code from the start of the authorization.');
    const { guesses } = services.tallies;
    if (guesses.isFull(context.address, context.now())) return refused('slow_down', SENTENCES.slow_down);
    const answer = await requestDevice(context, services.devicePace, body.device_code);
    if (answer.kind === 'invalid_grant') guesses.take(context.address, context.now());
    if (answer.kind !== 'allowed') return refused(answer.kind, SENTENCES[answer.kind]);
    // The person who allowed it has since ended all sessions, which includes this one.
    if (answer.issuedAfter < (await services.tokens.lastEnd(answer.identity.email))) return refused('access_denied', SENTENCES.ended);
    const seconds = Math.floor(context.now().getTime() / 1000);
    // What a session allows lasts no longer than the session itself (docs/contract.md 4.7).
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

export function devicePageOperation(services: SessionServices): HttpOperation<(typeof endpoints)['devicePage']> {
  return async (context, { query, headers }) => {
    const code = query.user_code;
    const claims = (await signedInBy(services, headers))?.claims;
    if (claims === undefined) return toLogin(code);
    if (code === undefined) return requestCode(context, '');
    const guessers = [`${claims.identity.email.toLowerCase()} at the page`, `${context.address} at the page`];
    for (const guesser of guessers) services.tallies.guesses.check(guesser, context.now());
    const request = await findDevice(context, code);
    if (request !== undefined) return await requestDecision(services, context, request, claims);
    for (const guesser of guessers) services.tallies.guesses.take(guesser, context.now());
    return requestCode(context, code);
  };
}

export function approveDeviceOperation(services: SessionServices): HttpOperation<(typeof endpoints)['approveDevice']> {
  return async (context, { body, headers }) => {
    const claims = (await signedInBy(services, headers))?.claims;
    if (claims === undefined) throw new Refusal('NOT_AUTHENTICATED', 'Sign in at /login, then open /device again.');
    if (!(await takeNonce(context, { tokenId: claims.tokenId, userCode: body.user_code }, body.nonce))) {
      throw new Refusal('NOT_AUTHORIZED', 'This decision was not sent from the page shown to you, or was sent twice. Open /device again.');
    }
    const isAllowed = body.decision === 'allow';
    const decision = isAllowed
      ? { decision: 'allow' as const, identity: claims.identity, issuedAfter: claims.issuedAfter, notAfter: claims.exp }
      : { decision: 'deny' as const };
    const decided = await decideDevice(context, body.user_code, decision);
    if (decided === undefined) return requestCode(context, body.user_code);
    const title = isAllowed ? 'Allowed' : 'Denied';
    const outcome = isAllowed ? 'will be signed in as you in a moment' : 'was not signed in';
    const main = html`<p>${nameOf(decided)} ${outcome}. You can close this page.</p>`;
    return pageOutcome(context, { title, main });
  };
}

/** Binds a decision to the page that was shown. One for each session and code, so that reloading the page stores no more. */
const nonceKey = ({ tokenId, userCode }: { readonly tokenId: string; readonly userCode: string }) => `nonce.${tokenId}.${userCode}`;

async function takeNonce({ store: { shortLived } }: Context, shown: Parameters<typeof nonceKey>[0], nonce: string): Promise<boolean> {
  if ((await shortLived.get('device', nonceKey(shown))) !== nonce) return false;
  return (await shortLived.take('device', nonceKey(shown))) === nonce;
}

function toLogin(code: string | undefined): Reply {
  const returnTo = code === undefined ? '/device' : `/device?user_code=${encodeURIComponent(code)}`;
  return { status: 302, headers: { location: `/login?returnTo=${encodeURIComponent(returnTo)}` } };
}

function requestCode(context: Context, entered: string): Reply {
  const problem = html`<p role="alert" id="problem">
    No device is waiting with the code <strong>${entered}</strong>. It may have expired: a code is valid for ${DEVICE_TIME / 60} minutes.
  </p>`;
  const main = html`${entered === '' ? '' : problem}
    <form method="get" action="/device">
      <label for="user_code">Code shown on the device</label>
      <input
        id="user_code"
        name="user_code"
        class="code"
        autocomplete="off"
        autocapitalize="characters"
        spellcheck="false"
        required
        autofocus
      />
      <p class="actions"><button>Continue</button></p>
    </form>
    ${SIGN_OUT}`;
  return pageOutcome(context, { title: 'Sign in a device', main });
}

async function requestDecision({ tokens }: SessionServices, context: Context, request: DeviceRequest, claims: TokenClaims): Promise<Reply> {
  const nonce = unguessable(context);
  const shown = { tokenId: claims.tokenId, userCode: request.userCode };
  await context.store.shortLived.put('device', nonceKey(shown), nonce, new Date(request.expires));
  const left = Math.min(tokens.lifetime, claims.exp - Math.floor(context.now().getTime() / 1000));
  const minutes = Math.max(1, Math.round((context.now().getTime() - request.started) / 60_000));
  const main = html`<p class="code">${request.userCode}</p>
    <p>
      ${nameOf(request)} asks to be signed in as <strong>${claims.identity.email}</strong>. For ${lasting(left)}, it could then do
      everything that you may do on this service.
    </p>
    <p class="quiet">
      It asked ${minutes} minute${minutes === 1 ? '' : 's'} ago. Allow it only if you started this yourself and see exactly this code there.
    </p>
    <form method="post" action="/device">
      <input type="hidden" name="user_code" value="${request.userCode}" />
      <input type="hidden" name="nonce" value="${nonce}" />
      <p class="actions">
        <button name="decision" value="allow">Allow</button>
        <button name="decision" value="deny" class="plain">Deny</button>
      </p>
    </form>
    ${SIGN_OUT}`;
  return pageOutcome(context, { title: 'Sign in a device', main });
}

const SIGN_OUT = html`<p class="quiet"><a href="/logout">Sign out</a></p>`;

function nameOf(request: DeviceRequest): string {
  return request.client === undefined ? 'A device' : `A device that calls itself “${request.client.slice(0, 80)}”`;
}

/** Takes seconds. */
function lasting(lifetime: number): string {
  const minutes = Math.max(1, Math.round(lifetime / 60));
  return minutes < 120 ? `${minutes} minute${minutes === 1 ? '' : 's'}` : `${Math.round(minutes / 60)} hours`;
}
