import { createHash, randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { Addresses } from './addresses.ts';
import { AUTHORING_RESOURCE, CONSOLE_CLIENT_ID, PASSWORD } from './identity-provider/accounts.ts';

const TokenAnswer = z.object({ access_token: z.string() });
const ServiceToken = z.object({ token: z.string() });

/** A token of the authoring system for an account, obtained like the console does: code and PKCE, with the form submitted. */
export async function authoringTokenOf(email: string, addresses: Pick<Addresses, 'identity' | 'console'>): Promise<string> {
  const endpoints = await identityEndpoints(addresses.identity);
  const verifier = randomBytes(32).toString('base64url');
  const authorization = new URL(endpoints.authorization);
  authorization.search = new URLSearchParams({
    response_type: 'code',
    client_id: CONSOLE_CLIENT_ID,
    redirect_uri: `${addresses.console}/`,
    scope: 'openid email profile',
    resource: AUTHORING_RESOURCE,
    state: randomBytes(8).toString('hex'),
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  }).toString();
  const cookies = new Map<string, string>();
  const form = await follow(authorization, cookies);
  const filled = await visit(form, cookies, new URLSearchParams({ email, password: PASSWORD }));
  const back = await follow(filled ?? form, cookies);
  const code = back.searchParams.get('code');
  if (code === null) throw new Error(`The identity provider did not sign in ${email}.`);
  const answer = await fetch(endpoints.token, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: CONSOLE_CLIENT_ID,
      redirect_uri: `${addresses.console}/`,
      resource: AUTHORING_RESOURCE,
      code,
      code_verifier: verifier,
    }),
  });
  if (!answer.ok) throw new Error(`The identity provider issued no token for ${email} (${answer.status}).`);
  return TokenAnswer.parse(await answer.json()).access_token;
}

/** A token of the service for an account, by the extension's token exchange. */
export async function serviceTokenOf(email: string, addresses: Pick<Addresses, 'identity' | 'console' | 'backend'>): Promise<string> {
  const token = await authoringTokenOf(email, addresses);
  const answer = await fetch(`${addresses.backend}/auth/exchange`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  });
  if (!answer.ok) throw new Error(`The service did not accept the sign-in of ${email}: ${answer.headers.get('x-error') ?? answer.status}`);
  return ServiceToken.parse(await answer.json()).token;
}

/** Follows redirects until a page, or an address that carries a code; returns the last address. */
async function follow(address: URL, cookies: Map<string, string>): Promise<URL> {
  let current = address;
  for (let redirects = 0; redirects < 10; redirects++) {
    const next = await visit(current, cookies);
    if (next === undefined) return current;
    current = next;
    if (current.searchParams.has('code') || current.searchParams.has('error')) return current;
  }
  throw new Error('The identity provider redirects without end.');
}

/** Sends one request and stores its cookies. Returns the redirect's target; undefined if it does not redirect. */
async function visit(address: URL, cookies: Map<string, string>, form?: URLSearchParams): Promise<URL | undefined> {
  const answer = await fetch(address, {
    redirect: 'manual',
    headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
    ...(form === undefined ? {} : { method: 'POST', body: form }),
  });
  await answer.body?.cancel();
  for (const line of answer.headers.getSetCookie()) {
    const [, name, value] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    if (name !== undefined && value !== undefined) cookies.set(name, value);
  }
  const location = answer.headers.get('location');
  return location === null ? undefined : new URL(location, address);
}

const Discovery = z.object({ authorization_endpoint: z.url(), token_endpoint: z.url() });

/** The identity provider's endpoints for signing in and for tokens (OpenID Connect discovery). */
export async function identityEndpoints(identity: string): Promise<{ authorization: string; token: string }> {
  const answer = await fetch(`${identity}/.well-known/openid-configuration`);
  if (!answer.ok) throw new Error(`The identity provider answers ${answer.status} to discovery.`);
  const discovered = Discovery.parse(await answer.json());
  return { authorization: discovered.authorization_endpoint, token: discovered.token_endpoint };
}
