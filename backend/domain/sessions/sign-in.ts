import { z } from 'zod';
import type { Context } from '../context.ts';
import { Refusal } from '../errors.ts';
import { requireFewOpen } from '../require-few-open.ts';
import { unguessable } from '../unguessable.ts';
import type { IdentityProvider, SignedIn } from './ports.ts';

/** Milliseconds that a user has for signing in at the identity provider. */
export const SIGN_IN_TIME = 15 * 60 * 1000;

/** What the browser shall meet when it is back. */
export interface SignInPurpose {
  /** An allowed origin whose window opened ours and waits for the token. */
  readonly origin?: string | undefined;
  /** A path of this service to go on to. */
  readonly returnTo?: string | undefined;
  /** A browser extension that waits for the token, and the site that it asked for it at. */
  readonly extension?: SignInExtension | undefined;
}

const SignInExtension = z.object({ id: z.string(), org: z.string().optional(), site: z.string().optional() });
export type SignInExtension = z.infer<typeof SignInExtension>;

const UnderWay = z.object({
  nonce: z.string(),
  codeVerifier: z.string(),
  redirect: z.string(),
  /** Only the browser that began may finish: it holds this value in a cookie. */
  browser: z.string(),
  origin: z.string().optional(),
  returnTo: z.string().optional(),
  extension: SignInExtension.optional(),
});

/** Begins a sign-in. Out: where to send the browser, and the value that it has to keep in a cookie. */
export async function beginSignIn(
  context: Context,
  provider: IdentityProvider,
  request: { redirect: string; purpose: SignInPurpose },
): Promise<{ address: string; browser: string }> {
  await requireFewOpen(context, 'sign-in', 'sign-ins');
  const [state, browser] = [unguessable(context), unguessable(context)];
  const { address, nonce, codeVerifier } = await provider.begin({ redirect: request.redirect, state });
  const underWay: z.input<typeof UnderWay> = { nonce, codeVerifier, redirect: request.redirect, browser, ...request.purpose };
  await context.store.shortLived.put('sign-in', state, underWay, new Date(context.now().getTime() + SIGN_IN_TIME));
  return { address, browser };
}

/** Finishes a sign-in; each can be finished once, by the browser that began it. `query` is the provider's, `?` included. */
export async function finishSignIn(
  context: Context,
  provider: IdentityProvider,
  answer: { state: string; query: string; browser: string | undefined },
): Promise<SignedIn & SignInPurpose> {
  const kept = UnderWay.safeParse(await context.store.shortLived.take('sign-in', answer.state));
  if (!kept.success || kept.data.browser !== answer.browser) {
    throw new Refusal('NOT_AUTHENTICATED', 'This sign-in has expired, was used already, or began in another browser. Sign in again.');
  }
  const { nonce, codeVerifier, redirect, origin, returnTo, extension } = kept.data;
  const address = new URL(answer.query, redirect);
  const signedIn = await provider.finish({ answer: address, state: answer.state, secrets: { nonce, codeVerifier } });
  return { ...signedIn, origin, returnTo, extension };
}
