import { z } from 'zod';
import type { Settings } from '../settings.ts';

/** Who is signed in at the console. The token is the authoring system's, from the identity provider. */
export const Session = z.object({ token: z.string(), email: z.string(), name: z.string(), expires: z.number() });
export type Session = z.infer<typeof Session>;

const TokenAnswer = z.object({ access_token: z.string(), expires_in: z.number(), id_token: z.string().optional() });
const Claims = z.looseObject({ email: z.string().optional(), name: z.string().optional(), sub: z.string() });

/** A tab that signs in tells the others, as a real host renews the sign-in of the tabs that are open. */
const NEWS = 'console.session';

const PENDING = 'console.sign-in';
const SESSION = 'console.session';

/** Leaves for the identity provider (OpenID Connect, authorization code with PKCE). */
export async function startSignIn(settings: Settings): Promise<void> {
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

/** The session that is kept, or the one that the identity provider just sent back with; undefined where nobody is signed in. */
export async function currentSession(settings: Settings): Promise<Session | undefined> {
  const query = new URLSearchParams(location.search);
  const pending = Pending.safeParse(parsed(sessionStorage.getItem(PENDING)));
  if (!query.has('state') || !pending.success) return keptSession();
  sessionStorage.removeItem(PENDING);
  history.replaceState(null, '', `/${pending.data.page}`);
  if (query.get('state') !== pending.data.state) throw new Error('The sign-in was started in another window. Sign in again.');
  const refusal = query.get('error_description') ?? query.get('error');
  if (refusal !== null) throw new Error(`The identity provider did not sign you in: ${refusal}`);
  return await redeem(settings, query.get('code') ?? '', pending.data.verifier);
}

/** Tells of sign-ins of the same person in other tabs. Out: how to stop that. */
export function onSignedIn(email: string, listener: (session: Session) => void): () => void {
  const channel = new BroadcastChannel(NEWS);
  channel.addEventListener('message', (event: MessageEvent<unknown>) => {
    const session = Session.safeParse(event.data);
    if (!session.success || session.data.email !== email) return;
    sessionStorage.setItem(SESSION, JSON.stringify(session.data));
    listener(session.data);
  });
  return () => channel.close();
}

export function endSession(): void {
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
  tell(session);
  return session;
}

function tell(session: Session): void {
  const channel = new BroadcastChannel(NEWS);
  channel.postMessage(session);
  channel.close();
}

function keptSession(): Session | undefined {
  const kept = Session.safeParse(parsed(sessionStorage.getItem(SESSION)));
  return kept.success && kept.data.expires > Date.now() ? kept.data : undefined;
}

/** What must survive the way to the identity provider and back; `page` is the address’s hash. */
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

/** For display alone: nothing here trusts them. */
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
