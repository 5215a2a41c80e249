import * as client from 'openid-client';
import { Refusal } from '@repoless/contract/refusal.ts';
import { identityOf, withinDomains } from '../sessions/identity.ts';
import { chain, type Remote, RemoteFailure, remoteFetch } from './remote.ts';
import type { IdentityProvider, SignedIn } from '../sessions/sign-in.ts';

interface IdentityProviderSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The resource whose access token is passed to the extension's window. */
  readonly authoringResource?: string;
  /** In lower case. Absent: valid for everyone. */
  readonly domains?: readonly string[];
}

const SCOPE = 'openid email profile';

/** The identity provider over OpenID Connect; its addresses are read at the first sign-in, so that the service starts without it. */
export function createIdentityProvider(remote: Remote, settings: IdentityProviderSettings): IdentityProvider {
  const { authoringResource } = settings;
  const resource: Record<string, string> = authoringResource === undefined ? {} : { resource: authoringResource };
  let discovered: Promise<client.Configuration> | undefined;

  /** Concurrent calls share one request: anyone may start any number of sign-ins. */
  function configuration(): Promise<client.Configuration> {
    discovered ??= discover(remote, settings).catch((error: unknown) => {
      discovered = undefined;
      throw error;
    });
    return discovered;
  }

  return {
    async start({ redirect, state, selectAccount }) {
      const found = await explaining(configuration());
      const [codeVerifier, nonce] = [client.randomPKCECodeVerifier(), client.randomNonce()];
      const address = client.buildAuthorizationUrl(found, {
        redirect_uri: redirect,
        scope: SCOPE,
        state,
        nonce,
        code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
        ...(selectAccount && promptOf(found)),
        ...resource,
      });
      return { address: address.href, nonce, codeVerifier };
    },
    async finish({ answer, state, secrets }) {
      const found = await explaining(configuration());
      const checks = { expectedState: state, expectedNonce: secrets.nonce, pkceCodeVerifier: secrets.codeVerifier };
      const granted = await explaining(client.authorizationCodeGrant(found, answer, checks, resource));
      const claims = granted.claims();
      const info = await userInfo(found, granted.access_token, claims, authoringResource !== undefined);
      const identity = identityOf({ ...info, ...claims });
      if (identity === undefined) {
        throw new Refusal('NOT_AUTHENTICATED', 'The identity provider returned no e-mail address, or an unverified one.');
      }
      const known = settings.domains === undefined ? identity : withinDomains(identity, settings.domains);
      if (known === undefined) {
        throw new Refusal('NOT_AUTHENTICATED', 'This service does not trust the identity provider for your e-mail domain.');
      }
      const signedIn: SignedIn = { identity: known };
      return authoringResource === undefined ? signedIn : { ...signedIn, authoringToken: granted.access_token };
    },
  };
}

/** Providers that do not list their prompts are assumed to support this one; those that do not support it make people sign in again. */
function promptOf(found: client.Configuration): Record<string, string> {
  const known = found.serverMetadata()['prompt_values_supported'];
  if (!Array.isArray(known) || known.includes('select_account')) return { prompt: 'select_account' };
  return known.includes('login') ? { prompt: 'login' } : {};
}

async function discover(remote: Remote, { issuer, clientId, clientSecret }: IdentityProviderSettings): Promise<client.Configuration> {
  return await client.discovery(new URL(issuer), clientId, undefined, client.ClientSecretBasic(clientSecret), {
    [client.customFetch]: remoteFetch(remote),
    // Checks the signature of an ID token although it comes from the provider itself.
    execute: [client.enableNonRepudiationChecks, ...(issuer.startsWith('http:') ? [client.allowInsecureRequests] : [])],
  });
}

/** Providers with short ID tokens return the e-mail address here; an access token for another resource is not accepted there. */
async function userInfo(found: client.Configuration, token: string, claims: client.IDToken | undefined, foreign: boolean) {
  if (claims === undefined || claims['email'] !== undefined || foreign || found.serverMetadata().userinfo_endpoint === undefined) return {};
  return await explaining(client.fetchUserInfo(found, token, claims.sub));
}

/** The library's errors may contain responses of the provider, including tokens: none is passed on. */
async function explaining<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof client.AuthorizationResponseError) {
      throw new Refusal('NOT_AUTHENTICATED', 'The identity provider ended the sign-in without signing you in. Sign in again.');
    }
    if (error instanceof client.ResponseBodyError && error.status < 500) {
      throw new Refusal('NOT_AUTHENTICATED', 'The identity provider did not accept the sign-in. Sign in again.');
    }
    const problem = whyUnreachable(error);
    if (problem !== undefined) {
      const sentence = `The identity provider ${problem}. Try again in a minute; you cannot sign in until it does.`;
      throw new Refusal('IDENTITY_PROVIDER_UNREACHABLE', sentence, { retryAfter: 60, cause: chain(error).find(isFailure) });
    }
    throw new Refusal('NOT_AUTHENTICATED', 'The response of the identity provider does not prove who you are. Sign in again.');
  }
}

/** Undefined if it responded properly, whatever the answer. */
function whyUnreachable(error: unknown): string | undefined {
  const causes = chain(error);
  if (causes.some((cause) => isFailure(cause) || codeOf(cause) === 'OAUTH_TIMEOUT')) return 'does not respond';
  const isOdd = causes.some((cause) => cause instanceof client.ResponseBodyError || ODD_CODES.includes(codeOf(cause) ?? ''));
  return isOdd ? 'does not respond as expected' : undefined;
}

/** Why the provider is unreachable; contains nothing from its responses, so it may be logged. */
function isFailure(error: Error): error is RemoteFailure {
  return error instanceof RemoteFailure;
}

function codeOf(error: Error): string | undefined {
  return error instanceof client.ClientError ? error.code : undefined;
}

const ODD_CODES = ['OAUTH_RESPONSE_IS_NOT_CONFORM', 'OAUTH_RESPONSE_IS_NOT_JSON', 'OAUTH_PARSE_ERROR'];
