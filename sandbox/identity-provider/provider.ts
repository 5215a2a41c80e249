import { exportJWK, generateKeyPair, type JWK } from 'jose';
import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Adapter, AdapterPayload, Configuration, interactionPolicy as policies, KoaContextWithOIDC } from 'oidc-provider';
import * as interactionPolicy from 'oidc-provider/lib/helpers/interaction_policy/index.js';
import { Provider } from 'oidc-provider/lib/provider.js';
import { z } from 'zod';
import {
  type Account,
  ACCOUNTS,
  AUTHORING_AUDIENCE,
  AUTHORING_RESOURCE,
  CONSOLE_CLIENT_ID,
  PROVIDER_NAME,
  SERVICE_CLIENT,
  TECHNICAL_ACCOUNTS,
} from './accounts.ts';

export interface ProviderOptions {
  readonly issuer: string;
  /** The address of the service. */
  readonly backend: string;
  /** The address of the authoring system's console. */
  readonly console: string;
  readonly keys: Keys;
  readonly adapter: (model: string) => Adapter;
  /** Lifetime of a token for the authoring system, in seconds. */
  readonly tokenLifetime: number;
}

const AUTHORING_SCOPE = 'authoring';

/**
 * The provider itself: the certified library, with the accounts and clients of the sandbox. Imports its files individually, because its
 * index file requires a newer Node.js than the project does.
 */
export function createProvider(options: ProviderOptions): Provider {
  const configuration: Configuration = {
    adapter: options.adapter,
    jwks: { keys: options.keys.jwks.keys },
    cookies: { keys: options.keys.cookieKeys },
    clients: clients(options),
    clientDefaults: { id_token_signed_response_alg: 'ES256' },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'preferred_username'] },
    conformIdTokenClaims: false,
    scopes: ['openid', 'email', 'profile'],
    pkce: { required: () => true },
    clientBasedCORS: (_ctx, origin, client) => client.clientId === CONSOLE_CLIENT_ID && origin === options.console,
    findAccount: (_ctx, sub) => found(ACCOUNTS.find((one) => one.sub === sub)),
    extraTokenClaims: (_ctx, token) => {
      // The hosted service recognizes tokens of the authoring system by `type`.
      if (token.kind === 'AccessToken') return { type: 'access_token', ...namesOf(ACCOUNTS.find((one) => one.sub === token.accountId)) };
      const technical = TECHNICAL_ACCOUNTS.find((one) => one.clientId === token.clientId);
      return technical && { email: technical.email, name: `Technical account ${technical.email.split('@')[0]}` };
    },
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        // Every token is for the authoring system, whether it was requested by name or not.
        defaultResource: () => AUTHORING_RESOURCE,
        useGrantedResource: () => true,
        getResourceServerInfo: () => ({
          scope: AUTHORING_SCOPE,
          audience: AUTHORING_AUDIENCE,
          accessTokenFormat: 'jwt',
          accessTokenTTL: options.tokenLifetime,
          jwt: { sign: { alg: 'ES256' } },
        }),
      },
    },
    interactions: { policy: alwaysAsk(), url: (_ctx, { uid }) => `/sign-in/${uid}` },
    loadExistingGrant: grantEverything,
    renderError: (ctx, out) => {
      ctx.type = 'text/plain';
      ctx.body = `The sandbox's identity provider refused this: ${out.error_description ?? out.error}\n`;
    },
    ttl: {
      AccessToken: options.tokenLifetime,
      AuthorizationCode: 60,
      ClientCredentials: options.tokenLifetime,
      Grant: 86_400,
      IdToken: 3600,
      Interaction: 3600,
      Session: 86_400,
    },
  };
  return new Provider(options.issuer, configuration);
}

function clients({ backend, console: consoleAddress }: ProviderOptions): NonNullable<Configuration['clients']> {
  const code = { grant_types: ['authorization_code'], response_types: ['code' as const] };
  return [
    {
      client_id: SERVICE_CLIENT.clientId,
      client_secret: SERVICE_CLIENT.clientSecret,
      redirect_uris: [`${backend}/auth/${PROVIDER_NAME}/ack`],
      ...code,
    },
    { client_id: CONSOLE_CLIENT_ID, token_endpoint_auth_method: 'none', redirect_uris: [`${consoleAddress}/`], ...code },
    ...TECHNICAL_ACCOUNTS.map(({ clientId, clientSecret }) => ({
      client_id: clientId,
      client_secret: clientSecret,
      grant_types: ['client_credentials'],
      redirect_uris: [],
      response_types: [],
    })),
  ];
}

/** Prompts at every sign-in, because testers often want another account the next time. */
function alwaysAsk(): policies.DefaultPolicy {
  const policy = interactionPolicy.base();
  const { Check, Prompt } = interactionPolicy;
  const promptUnlessSignedIn = (ctx: KoaContextWithOIDC) =>
    ctx.oidc.result?.login === undefined ? Check.REQUEST_PROMPT : Check.NO_NEED_TO_PROMPT;
  policy.get('login')?.checks.add(new Check('sandbox_asks', 'the sandbox asks each time', promptUnlessSignedIn));
  // Requests to select an account get the same page.
  policy.add(new Prompt({ name: 'select_account', requestable: true }), 0);
  return policy;
}

/** All clients belong to the sandbox, so there is no consent prompt. */
async function grantEverything(ctx: KoaContextWithOIDC) {
  const { client, session, provider } = ctx.oidc;
  if (client === undefined || session?.accountId === undefined) return undefined;
  const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
  grant.addOIDCScope('openid email profile');
  grant.addResourceScope(AUTHORING_RESOURCE, AUTHORING_SCOPE);
  await grant.save();
  return grant;
}

function found(account: Account | undefined) {
  if (account === undefined) return undefined;
  return { accountId: account.sub, claims: () => ({ sub: account.sub, email_verified: true, ...namesOf(account) }) };
}

function namesOf(account: Account | undefined): Record<string, unknown> | undefined {
  return account && { email: account.email, name: account.name, preferred_username: account.username };
}

/** What must survive a restart: the signing key, and the cookie keys. */
interface Keys {
  readonly jwks: { keys: JWK[] };
  readonly cookieKeys: string[];
}

const StoredKeys = z.object({
  jwks: z.object({ keys: z.array(z.looseObject({ kty: z.literal('EC') })) }),
  cookieKeys: z.array(z.string()),
});

export async function persistedKeys(dataDir: string): Promise<Keys> {
  const file = join(dataDir, 'identity-provider-keys.json');
  const stored = await readJson(file);
  if (stored !== undefined) return StoredKeys.parse(stored);
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  const key = { ...(await exportJWK(privateKey)), kid: randomBytes(8).toString('hex'), use: 'sig', alg: 'ES256' };
  const keys = { jwks: { keys: [key] }, cookieKeys: [randomBytes(32).toString('base64url')] };
  await writeJson(file, keys);
  return keys;
}

const StoredEntry = z.object({ payload: z.record(z.string(), z.unknown()), expires: z.number().optional() });
type StoredEntry = z.infer<typeof StoredEntry>;

/** Sessions, grants and codes in one file, so that a restart of the sandbox signs no one out. */
export async function persistedState(dataDir: string): Promise<{ adapter: (model: string) => Adapter; settled(): Promise<void> }> {
  const file = join(dataDir, 'identity-provider-state.json');
  const parsed = z.record(z.string(), StoredEntry).safeParse(await readJson(file));
  const state = new Map<string, StoredEntry>(Object.entries(parsed.success ? parsed.data : {}));
  let writing = Promise.resolve();

  const save = (): Promise<void> => {
    for (const [key, { expires }] of state) if (expires !== undefined && expires <= Date.now()) state.delete(key);
    const text = Object.fromEntries(state);
    writing = writing.then(() => writeJson(file, text));
    return writing;
  };
  const payload = (entry: StoredEntry | undefined): AdapterPayload | undefined =>
    entry === undefined || (entry.expires !== undefined && entry.expires <= Date.now()) ? undefined : entry.payload;

  return {
    settled: () => writing,
    adapter: (model) => {
      const find = (name: string, value: string) =>
        payload([...state].find(([key, entry]) => key.startsWith(`${model}:`) && entry.payload[name] === value)?.[1]);
      return {
        async upsert(id, value, expiresIn) {
          const expires = expiresIn === undefined ? {} : { expires: Date.now() + expiresIn * 1000 };
          state.set(`${model}:${id}`, { payload: { ...value }, ...expires });
          await save();
        },
        find: (id) => Promise.resolve(payload(state.get(`${model}:${id}`))),
        findByUid: (uid) => Promise.resolve(find('uid', uid)),
        findByUserCode: (userCode) => Promise.resolve(find('userCode', userCode)),
        async consume(id) {
          const entry = state.get(`${model}:${id}`);
          if (entry !== undefined) entry.payload['consumed'] = Math.floor(Date.now() / 1000);
          await save();
        },
        async destroy(id) {
          state.delete(`${model}:${id}`);
          await save();
        },
        async revokeByGrantId(grantId) {
          for (const [key, entry] of state) if (entry.payload['grantId'] === grantId) state.delete(key);
          await save();
        },
      };
    },
  };
}

async function readJson(file: string): Promise<unknown> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  return text === undefined ? undefined : JSON.parse(text);
}

async function writeJson(file: string, value: unknown): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(`${file}.draft`, JSON.stringify(value), { mode: 0o600 });
  await rename(`${file}.draft`, file);
}
