import { z } from 'zod';
import { type Context, unguessable } from '../domain/context.ts';
import { Refusal } from '@repoless/contract/refusal.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import type { IdentityProvider, SignedIn } from './identity.ts';

/** Milliseconds for a user to sign in at the identity provider. */
export const SIGN_IN_TIME = 15 * 60 * 1000;

/** What happens when the browser is back. */
export interface SignInPurpose {
  /** An allowed origin whose window opened ours and waits for the token. */
  readonly origin?: string | undefined;
  /** A path of this service to redirect to. */
  readonly returnTo?: string | undefined;
  /** A browser extension that waits for the token, and its site. */
  readonly extension?: SignInExtension | undefined;
  /** A command line on the person's own machine that waits for the token. */
  readonly commandLine?: SignInCommandLine | undefined;
}

/** What signing in needs: the provider, and the keys that every node has. */
export interface SignInMeans {
  readonly identityProvider: IdentityProvider;
  readonly box: Pick<SecretBox, 'seal' | 'open'>;
}

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

const UnderWay = z.object({
  nonce: z.string(),
  codeVerifier: z.string(),
  redirect: z.string(),
  /** Milliseconds since 1970. */
  until: z.number(),
  origin: z.string().optional(),
  returnTo: z.string().optional(),
  extension: SignInExtension.optional(),
  commandLine: SignInCommandLine.optional(),
});
type UnderWay = z.infer<typeof UnderWay>;

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
  const underWay: UnderWay = { nonce, codeVerifier, redirect, until: context.now().getTime() + SIGN_IN_TIME, ...purpose };
  return { address, sealed: box.seal(JSON.stringify(underWay), placeOf(state)) };
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
  const kept = opened(box, state, sealed);
  if (kept === undefined || kept.until <= context.now().getTime())
    throw new Refusal('NOT_AUTHENTICATED', 'This sign-in has expired, was already used, or was started in another browser. Sign in again.');
  const { nonce, codeVerifier, redirect, until: _until, ...purpose } = kept;
  const signedIn = await identityProvider.finish({ answer: new URL(query, redirect), state, secrets: { nonce, codeVerifier } });
  return { ...signedIn, ...purpose };
}

/** Undefined if it was forged, belongs to another state, or was sealed with a missing key. */
function opened(box: Pick<SecretBox, 'open'>, state: string, sealed: string | undefined): UnderWay | undefined {
  if (sealed === undefined) return undefined;
  try {
    return UnderWay.parse(JSON.parse(box.open(sealed, placeOf(state)).reveal()));
  } catch {
    return undefined;
  }
}

function placeOf(state: string) {
  return { org: '', site: '', name: `sign-in ${state}` };
}
