import { z } from 'zod';
import { type Context, unguessable } from '../domain/context.ts';
import { Refusal } from '@repoless/contract/refusal.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import { apiKeyName, type Caller, type Identity, type KeyClaims, type KeyGrant, type TokenClaims } from './identity.ts';
import { hostReaders } from '@repoless/contract/access.ts';
import type { Tier } from '@repoless/contract/addresses.ts';
import type { Profile, SessionToken } from '@repoless/contract/session.ts';
import { mayReadHost } from '../access/permit.ts';
import type { Reads } from '../domain/ports.ts';
import type { SiteName } from '../sites/check-site.ts';
import type { Tokens } from './tokens.ts';

/** What has to be remembered until the identity provider redirects back; never leaves the service. */
interface SignInSecrets {
  readonly nonce: string;
  readonly codeVerifier: string;
}

export interface SignedIn {
  readonly identity: Identity;
  /** A token for the authoring system, if the settings name its audience. */
  readonly authoringToken?: string;
}

/** The identity provider: authorization code with PKCE, state and nonce. Rejects with IDENTITY_PROVIDER_UNREACHABLE. */
export interface IdentityProvider {
  /** `redirect`: of our acknowledgement. Returns where to send the browser, and what to remember until it is back. */
  start(request: { redirect: string; state: string; selectAccount: boolean }): Promise<SignInSecrets & { address: string }>;
  /** `answer`: the complete address that the browser came back to. Rejects with NOT_AUTHENTICATED if it proves nothing. */
  finish(request: { answer: URL; state: string; secrets: SignInSecrets }): Promise<SignedIn>;
}

export interface TrustedIssuers {
  /** Its expiry is in seconds since 1970. Rejects with TOKEN_REFUSED, or IDENTITY_PROVIDER_UNREACHABLE without the issuer's keys. */
  identify(token: string): Promise<{ identity: Identity; exp: number }>;
}

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
  const { address, nonce, codeVerifier } = await identityProvider.start({ redirect, state, selectAccount });
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

export function profileOf(claims: TokenClaims, now: Date): Profile {
  const { email, name, preferredUsername, userId } = claims.identity;
  return {
    email,
    ...(name !== undefined && { name }),
    ...(preferredUsername !== undefined && { preferred_username: preferredUsername }),
    ...(userId !== undefined && { user_id: userId }),
    ...timesOf(claims, now),
  };
}

/** The profile of an API key, with its scope and roles. */
export function keyProfileOf(claims: KeyClaims, { id, org, site, roles }: KeyGrant, now: Date): Profile {
  return { email: apiKeyName(id), ...timesOf(claims, now), apiKey: { id, subject: `${org}/${site ?? '*'}`, roles: [...roles] } };
}

export function callerProfile(caller: Caller, now: Date): Omit<Profile, 'ttl'> | undefined {
  if (caller.kind === 'anonymous' || caller.claims === undefined) return undefined;
  const { claims, key } = caller;
  const profile = claims.kind === 'user' ? profileOf(claims, now) : key && keyProfileOf(claims, key, now);
  if (profile === undefined) return undefined;
  const { ttl: _ttl, ...rest } = profile;
  return rest;
}

function timesOf({ iss, iat, exp }: TokenClaims | KeyClaims, now: Date) {
  return { iss, iat, exp, ttl: exp - Math.floor(now.getTime() / 1000) };
}

/**
 * The site token that a signed-in person gets with the session: for the guarded hosts of a site. Takes the session token. Undefined if no
 * host of the site is guarded, if the person may read none of them, or if the session has ended.
 */
export async function siteTokenOf(
  tokens: Pick<Tokens, 'verify' | 'issueForSite'>,
  reads: Pick<Reads, 'orgAndSite'>,
  { session, org: name, site: siteName }: SiteName & { readonly session: string },
): Promise<SessionToken | undefined> {
  const user = await tokens.verify(session);
  const { org, site } = await reads.orgAndSite(name, siteName);
  if (user === undefined || site === undefined) return undefined;
  const mayRead = TIERS.some((tier) => {
    const readers = hostReaders(site.aggregate.access, tier);
    return readers !== undefined && mayReadHost(user, readers, { name, groups: org?.config.groups }, site.aggregate);
  });
  return mayRead ? await tokens.issueForSite(session, { org: name, site: siteName }) : undefined;
}

const TIERS: readonly Tier[] = ['preview', 'live'];
