import type { ExtensionLocation } from '@repoless/contract/extension.ts';
import { useCallback, useEffect, useState } from 'react';
import { z } from 'zod';
import { readSettings, type Settings } from '../settings.ts';

export type SessionState =
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly sentence: string }
  | { readonly state: 'signed-out'; readonly settings: Settings; readonly problem?: string; signIn(): void }
  | { readonly state: 'signed-in'; readonly settings: Settings; readonly session: Session; signOut(): void };

/** Reads the settings and the session once, and signs the user in and out. */
export function useSession(): SessionState {
  const [found, setFound] = useState<Found>({ state: 'loading' });
  useEffect(() => {
    let gone = false;
    void find().then((result) => {
      if (!gone) setFound(result);
    });
    return () => {
      gone = true;
    };
  }, []);
  const email = found.state === 'signed-in' ? found.session.email : undefined;
  useEffect(() => {
    if (email === undefined) return undefined;
    return onSignedIn(email, (session) => setFound((now) => (now.state === 'signed-in' ? { ...now, session } : now)));
  }, [email]);
  const settings = 'settings' in found ? found.settings : undefined;
  const signIn = useCallback(() => {
    if (settings !== undefined) void startSignIn(settings);
  }, [settings]);
  const signOut = useCallback(() => {
    endSession();
    if (settings !== undefined) setFound({ state: 'signed-out', settings });
  }, [settings]);
  if (found.state === 'signed-out') return { ...found, signIn };
  if (found.state === 'signed-in') return { ...found, signOut };
  return found;
}

type Found =
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly sentence: string }
  | { readonly state: 'signed-out'; readonly settings: Settings; readonly problem?: string }
  | { readonly state: 'signed-in'; readonly settings: Settings; readonly session: Session };

async function find(): Promise<Found> {
  let settings: Settings;
  try {
    settings = await readSettings();
    loadAuthoringScript(settings);
  } catch (error) {
    return { state: 'failed', sentence: sentence(error) };
  }
  try {
    const session = await currentSession(settings);
    return session === undefined ? { state: 'signed-out', settings } : { state: 'signed-in', settings, session };
  } catch (error) {
    return { state: 'signed-out', settings, problem: sentence(error) };
  }
}

function sentence(error: unknown): string {
  return error instanceof Error ? error.message : 'Something went wrong. Reload the page.';
}

/** The session at the console. The token is the authoring system's, from the identity provider. */
export const Session = z.object({ token: z.string(), email: z.string(), name: z.string(), expires: z.number() });
export type Session = z.infer<typeof Session>;

const TokenAnswer = z.object({ access_token: z.string(), expires_in: z.number(), id_token: z.string().optional() });
const Claims = z.looseObject({ email: z.string().optional(), name: z.string().optional(), sub: z.string() });

/** A tab that signs in notifies the others, as a real host renews the sign-in of open tabs. */
const CHANNEL = 'console.session';

const PENDING = 'console.sign-in';
const SESSION = 'console.session';

/** Redirects to the identity provider (OpenID Connect, authorization code with PKCE). */
async function startSignIn(settings: Settings): Promise<void> {
  const verifier = randomText();
  const state = randomText();
  sessionStorage.setItem(PENDING, JSON.stringify({ verifier, state, page: location.hash }));
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  const address = new URL(settings.identity.authorization);
  address.search = new URLSearchParams({
    response_type: 'code',
    client_id: settings.identity.clientId,
    redirect_uri: redirectAddress(),
    scope: 'openid email profile',
    resource: settings.identity.resource,
    state,
    code_challenge: base64url(new Uint8Array(digest)),
    code_challenge_method: 'S256',
  }).toString();
  location.assign(address);
}

/** The stored session, or the one that the identity provider just returned; undefined if no one is signed in. */
async function currentSession(settings: Settings): Promise<Session | undefined> {
  const query = new URLSearchParams(location.search);
  const pending = Pending.safeParse(parsed(sessionStorage.getItem(PENDING)));
  if (!query.has('state') || !pending.success) return storedSession();
  sessionStorage.removeItem(PENDING);
  history.replaceState(null, '', `/${pending.data.page}`);
  if (query.get('state') !== pending.data.state) throw new Error('The sign-in was started in another window. Sign in again.');
  const refusal = query.get('error_description') ?? query.get('error');
  if (refusal !== null) throw new Error(`The identity provider did not sign you in: ${refusal}`);
  return await redeem(settings, query.get('code') ?? '', pending.data.verifier);
}

/** Reports sign-ins of the same person in other tabs. Returns the function that stops it. */
function onSignedIn(email: string, listener: (session: Session) => void): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.addEventListener('message', (event: MessageEvent<unknown>) => {
    const session = Session.safeParse(event.data);
    if (!session.success || session.data.email !== email) return;
    sessionStorage.setItem(SESSION, JSON.stringify(session.data));
    listener(session.data);
  });
  return () => channel.close();
}

function endSession(): void {
  sessionStorage.removeItem(SESSION);
}

async function redeem(settings: Settings, code: string, verifier: string): Promise<Session> {
  const answer = await fetch('/console/token', {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: settings.identity.clientId,
      redirect_uri: redirectAddress(),
      resource: settings.identity.resource,
      code,
      code_verifier: verifier,
    }),
  });
  if (!answer.ok) throw new Error(`The identity provider did not issue a token (${answer.status}). Sign in again.`);
  const granted = TokenAnswer.parse(await answer.json());
  const claims = Claims.parse({ ...claimsOf(granted.access_token), ...claimsOf(granted.id_token) });
  const email = claims.email ?? claims.sub;
  const session = { token: granted.access_token, email, name: claims.name ?? email, expires: Date.now() + granted.expires_in * 1000 };
  sessionStorage.setItem(SESSION, JSON.stringify(session));
  announce(session);
  return session;
}

function announce(session: Session): void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage(session);
  channel.close();
}

function storedSession(): Session | undefined {
  const stored = Session.safeParse(parsed(sessionStorage.getItem(SESSION)));
  return stored.success && stored.data.expires > Date.now() ? stored.data : undefined;
}

/** What must survive the redirect to the identity provider; `page` is the address’s hash. */
const Pending = z.object({ verifier: z.string(), state: z.string(), page: z.string() });

function redirectAddress(): string {
  return `${location.origin}/`;
}

function parsed(text: string | null): unknown {
  try {
    return text === null ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** For display only: nothing here trusts them. */
function claimsOf(token: string | undefined): object {
  const part = (token?.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/');
  const claims = parsed(new TextDecoder().decode(Uint8Array.from(atob(part), (character) => character.charCodeAt(0))));
  return typeof claims === 'object' && claims !== null ? claims : {};
}

function randomText(): string {
  return base64url(crypto.getRandomValues(new Uint8Array(32)));
}

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
}

/**
 * Loads the script that the content package installs in an authoring system: it opens the extension in a separate window for each element
 * that names a view (`data-repoless-view`). The sandbox sets the extension's address instead of the package.
 */
function loadAuthoringScript({ extension }: Settings): void {
  const place: ExtensionLocation = { extension: extension.address };
  Object.assign(window, { repoless: place });
  const script = document.createElement('script');
  script.src = '/apps/repoless/clientlibs/site-setup/js/site-setup.js';
  document.head.append(script);
}
