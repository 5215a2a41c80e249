import { z } from 'zod';
import type { endpoints } from '#contract/endpoints.ts';
import type { Context } from '#backend/domain/context.ts';
import { Refusal } from '#backend/domain/errors.ts';
import { decideDevice, DEVICE_TIME, findDevice } from '#backend/domain/sessions/device.ts';
import type { DeviceRequest } from '#backend/domain/sessions/device.ts';
import type { TokenClaims } from '#backend/domain/sessions/token-claims.ts';
import type { Outcome, Verb } from '#backend/domain/verb.ts';
import { html } from './page.ts';
import { pageOutcome, signedInBy } from './services.ts';
import type { SessionServices } from './services.ts';

/** The page where a signed-in user enters the code of a device and decides. */
export function devicePageVerb(services: SessionServices): Verb<(typeof endpoints)['devicePage']> {
  return async (context, { query, headers }) => {
    const code = query.user_code;
    const claims = (await signedInBy(services, headers))?.claims;
    if (claims === undefined) return toLogin(code);
    if (code === undefined) return askForCode(context, '');
    const request = await findDevice(context, code);
    return request === undefined ? askForCode(context, code) : await askForDecision(context, request, claims);
  };
}

export function approveDeviceVerb(services: SessionServices): Verb<(typeof endpoints)['approveDevice']> {
  return async (context, { body, headers }) => {
    const claims = (await signedInBy(services, headers))?.claims;
    if (claims === undefined) throw new Refusal('NOT_AUTHENTICATED', 'Sign in at /login, then open /device again.');
    const nonce = Nonce.safeParse(await context.store.shortLived.take('user-code', nonceKey(body.nonce)));
    if (!nonce.success || nonce.data.tokenId !== claims.tokenId || nonce.data.userCode !== body.user_code) {
      throw new Refusal(
        'NOT_AUTHORIZED',
        'This answer does not come from the page that was shown to you, or came twice. Open /device again.',
      );
    }
    const allow = body.decision === 'allow';
    const decided = await decideDevice(
      context,
      body.user_code,
      allow ? { decision: 'allow', identity: claims.identity } : { decision: 'deny' },
    );
    if (decided === undefined) return askForCode(context, body.user_code);
    const title = allow ? 'Allowed' : 'Denied';
    const main = allow
      ? html`<p>${called(decided)} is signed in as you in a moment. You can close this page.</p>`
      : html`<p>${called(decided)} was not signed in. You can close this page.</p>`;
    return pageOutcome(context, { title, main });
  };
}

/** Binds a decision to the page that was shown and to the session that it was shown to. */
const Nonce = z.object({ tokenId: z.string(), userCode: z.string() });
const nonceKey = (nonce: string) => `nonce.${nonce}`;

function toLogin(code: string | undefined): Outcome {
  const returnTo = code === undefined ? '/device' : `/device?user_code=${encodeURIComponent(code)}`;
  return { status: 302, headers: { location: `/login?returnTo=${encodeURIComponent(returnTo)}` } };
}

function askForCode(context: Context, entered: string): Outcome {
  const problem = html`<p role="alert" id="problem">
    There is no device that waits with the code <strong>${entered}</strong>. It may have expired: a code lasts ${DEVICE_TIME / 60} minutes.
  </p>`;
  const main = html`${entered === '' ? '' : problem}
    <form method="get" action="/device">
      <label for="user_code">Code that the device shows</label>
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
    </form>`;
  return pageOutcome(context, { title: 'Sign in a device', main });
}

async function askForDecision(context: Context, request: DeviceRequest, claims: TokenClaims): Promise<Outcome> {
  const nonce = context.newId();
  const shown: z.infer<typeof Nonce> = { tokenId: claims.tokenId, userCode: request.userCode };
  await context.store.shortLived.put('user-code', nonceKey(nonce), shown, new Date(request.expires));
  const minutes = Math.max(1, Math.round((context.now().getTime() - request.begun) / 60_000));
  const main = html`<p class="code">${request.userCode}</p>
    <p>
      ${called(request)} asks to be signed in as <strong>${claims.identity.email}</strong>. It could then do everything that you may do on
      this service.
    </p>
    <p class="quiet">
      It asked ${minutes} minute${minutes === 1 ? '' : 's'} ago. Allow it only if you began this yourself and see this very code there.
    </p>
    <form method="post" action="/device">
      <input type="hidden" name="user_code" value="${request.userCode}" />
      <input type="hidden" name="nonce" value="${nonce}" />
      <p class="actions">
        <button name="decision" value="allow">Allow</button>
        <button name="decision" value="deny" class="plain">Deny</button>
      </p>
    </form>`;
  return pageOutcome(context, { title: 'Sign in a device', main });
}

function called(request: DeviceRequest): string {
  return request.client === undefined ? 'A device' : `A device that calls itself “${request.client.slice(0, 80)}”`;
}
