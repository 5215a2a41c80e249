import { z } from 'zod';
import { type Context, unguessable } from '../domain/context.ts';
import { Refusal } from '@repoless/contract/refusal.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import type { IdentityProvider, SignedIn } from './identity.ts';

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
  /** A command line on the person's own machine that waits for the token. */
  readonly commandLine?: SignInCommandLine | undefined;
}

/** What signing in goes by: the provider, and the keys that every node has. */
export interface SignInMeans {
  readonly identityProvider: IdentityProvider;
  readonly box: Pick<SecretBox, 'seal' | 'open'>;
}

const SignInExtension = z.object({ id: z.string(), org: z.string().optional(), site: z.string().optional() });
export type SignInExtension = z.infer<typeof SignInExtension>;

const SignInCommandLine = z.object({
  /** Where it waits. */
  address: z.string(),
  /** Its own word, by which it knows the answer. */
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
 * Begins a sign-in. Out: where to send the browser, and what it has to bring back in a cookie: all that is to be remembered, sealed.
 * Nothing is stored, so however many begin, nobody is refused. Rejects as the identity provider does.
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
 * Finishes a sign-in, in the browser that began it: what it brings opens with the state of the provider's answer alone. That an answer
 * counts once is up to the provider, whose code is good for one exchange. In: the provider's query, `?` included. Refuses with
 * NOT_AUTHENTICATED what is not, or no longer, under way.
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

/** Undefined where it was made up, belongs to another state, or was sealed with a key that is gone. */
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
