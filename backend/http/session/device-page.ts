import type { endpoints } from '@repoless/contract/endpoints.ts';
import { type Context, unguessable } from '../../domain/context.ts';
import { Refusal } from '@repoless/contract/refusal.ts';
import { decideDevice, DEVICE_TIME, type DeviceRequest, findDevice } from '../../sessions/device.ts';
import type { TokenClaims } from '../../sessions/identity.ts';
import type { HttpOperation, Reply } from '../answer.ts';
import { html } from './page.ts';
import { pageOutcome, type SessionServices, signedInBy } from './services.ts';

/** The page where a signed-in user enters the code of a device and decides. */
export function devicePageOperation(services: SessionServices): HttpOperation<(typeof endpoints)['devicePage']> {
  return async (context, { query, headers }) => {
    const code = query.user_code;
    const claims = (await signedInBy(services, headers))?.claims;
    if (claims === undefined) return toLogin(code);
    if (code === undefined) return askForCode(context, '');
    const guessers = [`${claims.identity.email.toLowerCase()} at the page`, `${context.address} at the page`];
    for (const guesser of guessers) services.tallies.guesses.check(guesser, context.now());
    const request = await findDevice(context, code);
    if (request !== undefined) return await askForDecision(services, context, request, claims);
    for (const guesser of guessers) services.tallies.guesses.take(guesser, context.now());
    return askForCode(context, code);
  };
}

export function approveDeviceOperation(services: SessionServices): HttpOperation<(typeof endpoints)['approveDevice']> {
  return async (context, { body, headers }) => {
    const claims = (await signedInBy(services, headers))?.claims;
    if (claims === undefined) throw new Refusal('NOT_AUTHENTICATED', 'Sign in at /login, then open /device again.');
    if (!(await takeNonce(context, { tokenId: claims.tokenId, userCode: body.user_code }, body.nonce))) {
      throw new Refusal('NOT_AUTHORIZED', 'This decision was not sent from the page shown to you, or was sent twice. Open /device again.');
    }
    const allow = body.decision === 'allow';
    const decided = await decideDevice(
      context,
      body.user_code,
      allow
        ? { decision: 'allow', identity: claims.identity, issuedAfter: claims.issuedAfter, notAfter: claims.exp }
        : { decision: 'deny' },
    );
    if (decided === undefined) return askForCode(context, body.user_code);
    const title = allow ? 'Allowed' : 'Denied';
    const main = allow
      ? html`<p>${called(decided)} will be signed in as you in a moment. You can close this page.</p>`
      : html`<p>${called(decided)} was not signed in. You can close this page.</p>`;
    return pageOutcome(context, { title, main });
  };
}

/** Binds a decision to the page that was shown and to its session. */
interface Shown {
  readonly tokenId: string;
  readonly userCode: string;
}
/** One for each session and code, so that reloading the page stores no more. */
const nonceKey = ({ tokenId, userCode }: Shown) => `nonce.${tokenId}.${userCode}`;

async function takeNonce({ store: { shortLived } }: Context, shown: Shown, nonce: string): Promise<boolean> {
  if ((await shortLived.get('device', nonceKey(shown))) !== nonce) return false;
  return (await shortLived.take('device', nonceKey(shown))) === nonce;
}

function toLogin(code: string | undefined): Reply {
  const returnTo = code === undefined ? '/device' : `/device?user_code=${encodeURIComponent(code)}`;
  return { status: 302, headers: { location: `/login?returnTo=${encodeURIComponent(returnTo)}` } };
}

function askForCode(context: Context, entered: string): Reply {
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

async function askForDecision({ tokens }: SessionServices, context: Context, request: DeviceRequest, claims: TokenClaims): Promise<Reply> {
  const nonce = unguessable(context);
  const shown = { tokenId: claims.tokenId, userCode: request.userCode };
  await context.store.shortLived.put('device', nonceKey(shown), nonce, new Date(request.expires));
  const left = Math.min(tokens.lifetime, claims.exp - Math.floor(context.now().getTime() / 1000));
  const minutes = Math.max(1, Math.round((context.now().getTime() - request.begun) / 60_000));
  const main = html`<p class="code">${request.userCode}</p>
    <p>
      ${called(request)} asks to be signed in as <strong>${claims.identity.email}</strong>. For ${lasting(left)}, it could then do
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

function called(request: DeviceRequest): string {
  return request.client === undefined ? 'A device' : `A device that calls itself “${request.client.slice(0, 80)}”`;
}

/** Takes seconds. */
function lasting(lifetime: number): string {
  const minutes = Math.max(1, Math.round(lifetime / 60));
  return minutes < 120 ? `${minutes} minute${minutes === 1 ? '' : 's'}` : `${Math.round(minutes / 60)} hours`;
}
