import { z } from 'zod';
import { defined } from '@repoless/contract/json.ts';
import type { Profile } from '@repoless/contract/session.ts';
import { RoleName } from '@repoless/contract/access.ts';
import { parseJson } from '@repoless/core/api/exchange.ts';
import { ask, type Call, type Operation, unreadable } from './call.ts';
import { refusalOf } from './refusals.ts';

/** What a token says about itself. Nothing here is verified: the hosted service decides. */
export interface Credential {
  readonly kind: 'session' | 'api-key' | 'ims' | 'site-token' | 'unknown';
  readonly headers: Readonly<Record<string, string>>;
  /** Seconds since 1970. */
  readonly expires?: number;
  readonly email?: string;
  /** For an API key. */
  readonly id?: string;
  /** For an API key: `{org}/{site}`, `{org}/*` or `{org}/`. */
  readonly subject?: string;
  readonly roles?: readonly string[];
  /** Issued to a browser extension: the hosted service then also checks the origin of the request. */
  readonly isOfExtension: boolean;
}

const Claims = z.looseObject({
  type: z.string().optional(),
  client_id: z.string().optional(),
  sub: z.string().optional(),
  jti: z.string().optional(),
  email: z.string().optional(),
  user_id: z.string().optional(),
  exp: z.number().optional(),
  created_at: z.coerce.number().optional(),
  expires_in: z.coerce.number().optional(),
  roles: z.array(z.string()).optional(),
  extensionId: z.string().optional(),
});

/** Recognizes a token and chooses the one header in which the hosted service accepts it; any other header is answered with a plain 401. */
export function readCredential(token: string): Credential {
  if (/^hlx(?:tst)?_/.test(token)) return { kind: 'site-token', headers: { authorization: `token ${token}` }, isOfExtension: false };
  const claims = claimsOf(token);
  if (claims === undefined) return { kind: 'unknown', headers: { 'x-auth-token': token }, isOfExtension: false };
  const about = { ...(claims.email === undefined ? {} : { email: claims.email }), isOfExtension: claims.extensionId !== undefined };
  if (claims.type === 'access_token') {
    const expires = claims.exp ?? endOf(claims);
    return { kind: 'ims', headers: { authorization: `Bearer ${token}` }, ...(expires === undefined ? {} : { expires }), ...about };
  }
  const common = { headers: { 'x-auth-token': token }, ...(claims.exp === undefined ? {} : { expires: claims.exp }), ...about };
  if (claims.jti === undefined || claims.sub === undefined || claims.sub === '*/*') return { kind: 'session', ...common };
  return {
    kind: 'api-key',
    ...common,
    id: claims.jti,
    subject: claims.sub,
    ...(claims.roles === undefined ? {} : { roles: claims.roles }),
  };
}

/** IMS tokens contain their creation time and lifetime, both in milliseconds. */
function endOf({ created_at: created, expires_in: life }: z.infer<typeof Claims>): number | undefined {
  return created === undefined || life === undefined ? undefined : Math.floor((created + life) / 1000);
}

function claimsOf(token: string): z.infer<typeof Claims> | undefined {
  const [, payload] = token.split('.');
  if (payload === undefined) return undefined;
  try {
    return Claims.safeParse(JSON.parse(Buffer.from(payload, 'base64url').toString())).data;
  } catch {
    return undefined;
  }
}

/** The identifier of an API key as used in addresses and maps. */
export function urlSafeId(id: string): string {
  return id.replaceAll('+', '-').replaceAll('/', '_');
}

const Self = z.object({
  profile: z.looseObject({
    email: z.string().optional(),
    name: z.string().optional(),
    user_id: z.string().optional(),
    preferred_username: z.string().optional(),
    iss: z.string().optional(),
    iat: z.number().optional(),
    exp: z.number().optional(),
    ttl: z.number().optional(),
  }),
});

export const SESSION_OPERATIONS: Readonly<Record<string, Operation>> = {
  getService: async ({ options }) => ({ status: 200, body: options.info }),
  profile: async (call) => ({ status: 200, body: { status: 200, profile: await profileOf(call), links: {} } }),
};

/**
 * Who the caller is. The hosted service answers 200 for an API key even if it is not registered: its permissions show only in actual calls.
 */
async function profileOf(call: Call): Promise<Profile> {
  const { credential, options } = call;
  const answer = await ask(call, 'self', {});
  if (answer.status !== 200) throw refusalOf(answer, { org: '', credential });
  const found = Self.safeParse(parseJson(answer.text)).data?.profile;
  // What a token says about itself counts only once the hosted service has accepted it.
  if (found === undefined) throw unreadable();
  const now = Math.floor(options.now().getTime() / 1000);
  const exp = Math.floor(found.exp ?? credential?.expires ?? now);
  const common = { iss: found.iss ?? options.service, iat: Math.floor(found.iat ?? now), exp, ttl: Math.floor(found.ttl ?? exp - now) };
  if (credential?.kind === 'api-key') {
    const roles = (credential.roles ?? []).flatMap((role) => RoleName.safeParse(role).data ?? []);
    const { id = '', subject = '' } = credential;
    return { ...common, email: `api-key:${id}`, apiKey: { id, subject: subject.replace(/\/$/, '/*'), roles } };
  }
  const { name, user_id: userId, preferred_username: preferred } = found;
  return {
    ...common,
    email: found.email ?? credential?.email ?? '',
    ...defined({ name, user_id: userId, preferred_username: preferred }),
  };
}
