import { z } from 'zod';

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
  /** In API keys of our own service. */
  api_key: z.boolean().optional(),
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

/** Whether a token of the hosted service, or of our own, is an API key: its owner can't renew it by signing in. */
export function isApiKey(token: string, isHosted: boolean): boolean {
  return isHosted ? readCredential(token).kind === 'api-key' : claimsOf(token)?.api_key === true;
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
