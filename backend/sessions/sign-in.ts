import { z } from 'zod';
import { type Context, unguessable } from '../domain/context.ts';
import { Refusal } from '@repoless/contract/refusal.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import type { IdentityProvider, SignedIn } from './identity.ts';

/** Milliseconds for a user to sign in at the identity provider. */
export const SIGN_IN_TIME = 15 * 60 * 1000;

const SignInExtension = z.object({ id: z.string(), org: z.string().optional(), site: z.string().optional() });
export type SignInExtension = z.infer<typeof SignInExtension>;

const SignInCommandLine = z.object({
  /** The address where it waits. */
  address: z.string(),
  /** Its own value, by which it recognizes the answer. */
  state: z.string().optional(),
  org: z.string().optional(),
  site: z.string().optional(),
});
export type SignInCommandLine = z.infer<typeof SignInCommandLine>;

const SignInPurpose = z.object({
  /** An allowed origin whose window opened ours and waits for the token. */
  origin: z.string().optional(),
  /** A path of this service to redirect to. */
  returnTo: z.string().optional(),
  /** A browser extension that waits for the token, and its site. */
  extension: SignInExtension.optional(),
  /** A command line on the person's own machine that waits for the token. */
  commandLine: SignInCommandLine.optional(),
});
export type SignInPurpose = z.infer<typeof SignInPurpose>;

const SignInInProgress = SignInPurpose.extend({
  nonce: z.string(),
  codeVerifier: z.string(),
  redirect: z.string(),
  /** Milliseconds since 1970. */
  until: z.number(),
});
type SignInInProgress = z.infer<typeof SignInInProgress>;

interface SignInMeans {
  readonly identityProvider: IdentityProvider;
  readonly box: Pick<SecretBox, 'seal' | 'open'>;
}
/**
 * Starts a sign-in. Returns where to send the browser, and what it has to bring back in a cookie: everything to be remembered, sealed.
 * Stores nothing, so that any number can start without being refused. Rejects as the identity provider does.
 */
export async function startSignIn(
  context: Pick<Context, 'now' | 'newId'>,
  { identityProvider, box }: SignInMeans,
  { redirect, purpose, selectAccount = false }: { redirect: string; purpose: SignInPurpose; selectAccount?: boolean },
): Promise<{ address: string; sealed: string }> {
  const state = unguessable(context);
  const { address, nonce, codeVerifier } = await identityProvider.begin({ redirect, state, selectAccount });
  const started: SignInInProgress = { nonce, codeVerifier, redirect, until: context.now().getTime() + SIGN_IN_TIME, ...purpose };
  return { address, sealed: box.seal(JSON.stringify(started), sealedFor(state)) };
}

/**
 * Finishes a sign-in in the browser that started it: its cookie can be opened only with the state of the provider's answer. The provider
 * ensures that an answer counts once, because its code is valid for one exchange. Takes the provider's query, including `?`. Refuses with
 * NOT_AUTHENTICATED what is not, or no longer, in progress.
 */
export async function finishSignIn(
  context: Pick<Context, 'now'>,
  { identityProvider, box }: SignInMeans,
  { state, query, sealed }: { state: string; query: string; sealed: string | undefined },
): Promise<SignedIn & SignInPurpose> {
  const started = opened(box, state, sealed);
  if (started === undefined || started.until <= context.now().getTime())
    throw new Refusal('NOT_AUTHENTICATED', 'This sign-in has expired, was already used, or was started in another browser. Sign in again.');
  const { nonce, codeVerifier, redirect, until: _until, ...purpose } = started;
  const signedIn = await identityProvider.finish({ answer: new URL(query, redirect), state, secrets: { nonce, codeVerifier } });
  return { ...signedIn, ...purpose };
}

/** Undefined if it was forged, belongs to another state, or was sealed with a missing key. */
function opened(box: Pick<SecretBox, 'open'>, state: string, sealed: string | undefined): SignInInProgress | undefined {
  if (sealed === undefined) return undefined;
  try {
    return SignInInProgress.parse(JSON.parse(box.open(sealed, sealedFor(state)).reveal()));
  } catch {
    return undefined;
  }
}

function sealedFor(state: string) {
  return { org: '', site: '', name: `sign-in ${state}` };
}
