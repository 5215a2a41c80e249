import { generateKeyPairSync, randomBytes, sign, verify } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { type Json, textAt } from './store.ts';

export const ISSUER = 'https://admin.hlx.page/';
const DAY = 86_400;

/**
 * `sidekick`: a session requested by a browser extension. `stale`: a session that is refused until the person signs in again.
 * `unregistered`: an API key that no configuration lists. `foreignIms`: an IMS token without the scope.
 */
export type TokenKind = 'session' | 'sidekick' | 'stale' | 'expired' | 'apiKey' | 'unregistered' | 'ims' | 'foreignIms';

/** The caller. `names`: identifiers by which lists of members refer to them. */
export interface Caller {
  readonly kind: 'anonymous' | 'session' | 'key' | 'ims';
  readonly names: readonly string[];
  readonly claims: Json;
  readonly isStale: boolean;
}
export const ANONYMOUS: Caller = { kind: 'anonymous', names: [], claims: {}, isStale: false };

export interface Credentials {
  token(kind: TokenKind, claims?: Json): string;
  /** The caller of a request. A credential that is malformed, expired or in the wrong header counts as none. */
  callerOf(headers: IncomingHttpHeaders): Caller;
  /** The public key, to verify the tokens with. */
  keys(): Json;
}

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

/** Issues tokens like the service, signed with a key of this process. */
export function openCredentials(accepts: { ims(): boolean; isForeign(token: string): boolean }): Credentials {
  const stale = new Set<string>();
  const issue = (claims: Json): string => {
    const body = [{ alg: 'RS256', kid: 'stand-in' }, claims]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.');
    return `${body}.${sign('sha256', Buffer.from(body), privateKey).toString('base64url')}`;
  };
  const read = (token: string): Json | undefined => {
    const [header = '', claims = '', signature = ''] = token.split('.');
    const isOwn = verify('sha256', Buffer.from(`${header}.${claims}`), publicKey, Buffer.from(signature, 'base64url'));
    if (!isOwn && !accepts.isForeign(token)) return undefined;
    const found = JSON.parse(Buffer.from(claims, 'base64url').toString()) as Json;
    return endOf(found) > Date.now() / 1000 ? found : undefined;
  };
  return {
    token(kind, claims = {}) {
      const token = issue({ ...claimsOf(kind), ...claims });
      if (kind === 'stale') stale.add(token);
      return token;
    },
    callerOf(headers) {
      const presented = firstPresented(headers);
      const claims = presented === undefined ? undefined : read(presented.token);
      if (presented === undefined || claims === undefined) return ANONYMOUS;
      const kind = kindOf(claims);
      if (
        !HEADERS[kind].includes(presented.header) ||
        (kind === 'ims' && !(accepts.ims() && (hasScope(claims) || accepts.isForeign(presented.token))))
      )
        return ANONYMOUS;
      const names = ['email', 'user_id', 'preferred_username'].map((name) => textAt(claims, name).toLowerCase());
      return { kind, claims, names: names.filter((name) => name !== ''), isStale: stale.has(presented.token) };
    },
    keys: () => ({ keys: [{ ...publicKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig', kid: 'stand-in' }] }),
  };
}

function claimsOf(kind: TokenKind): Json {
  const now = Math.floor(Date.now() / 1000);
  switch (kind) {
    case 'ims':
    case 'foreignIms':
      return {
        type: 'access_token',
        as: 'ims-na1',
        client_id: 'exc_app',
        scope: kind === 'ims' ? 'openid,AdobeID,aem.frontend.all' : 'openid,AdobeID',
        created_at: String(now * 1000),
        expires_in: String(DAY * 1000),
      };
    case 'apiKey':
    case 'unregistered':
      return { iss: ISSUER, email: 'helix@adobe.com', jti: keyId(), roles: ['author'], iat: now, exp: now + 365 * DAY };
    case 'session':
    case 'sidekick':
    case 'stale':
    case 'expired': {
      // Signatures are equal within the same second: a stale token must differ from a new one.
      const iat = { session: now, sidekick: now, stale: now - DAY / 2, expired: now - 2 * DAY }[kind];
      return {
        iss: ISSUER,
        sub: '*/*',
        iat,
        exp: iat + DAY,
        ...(kind === 'sidekick' ? { extensionId: 'igkmdomcgoebiipaifhmpfjhbjccggml' } : {}),
      };
    }
    default:
      return kind satisfies never;
  }
}

/** Raw identifiers may contain `+` and `/`, which addresses may not: every one here contains both, so that they cannot be overlooked. */
function keyId(): string {
  for (;;) {
    const id = randomBytes(33).toString('base64');
    if (id.includes('+') && id.includes('/')) return id;
  }
}

/** The identifier of a key in addresses, and as the name of its entry. */
export function inAddresses(keyIdentifier: string): string {
  return keyIdentifier.replaceAll('+', '-').replaceAll('/', '_');
}

function kindOf(claims: Json): 'session' | 'key' | 'ims' {
  if (claims['type'] === 'access_token') return 'ims';
  return claims['jti'] === undefined ? 'session' : 'key';
}

function hasScope(claims: Json): boolean {
  return /(?:^|,)\s*aem\.(?:backend|frontend)\.all\s*(?:,|$)/.test(String(claims['scope']));
}

/** In seconds. IMS tokens contain their creation time and lifetime, in milliseconds. */
export function endOf(claims: Json): number {
  return Number(claims['exp'] ?? (Number(claims['created_at']) + Number(claims['expires_in'])) / 1000);
}

const HEADERS: Readonly<Record<'session' | 'key' | 'ims', readonly string[]>> = {
  session: ['cookie', 'x-auth-token', 'token'],
  key: ['x-auth-token', 'token'],
  ims: ['bearer'],
};

/** The first credential of a request: later ones are ignored, even if it is invalid. */
function firstPresented(headers: IncomingHttpHeaders): { readonly header: string; readonly token: string } | undefined {
  const cookie = /(?:^|;\s*)auth_token=([^;]+)/.exec(headers.cookie ?? '')?.[1];
  if (cookie !== undefined) return { header: 'cookie', token: cookie };
  const own = headers['x-auth-token'];
  if (typeof own === 'string' && own !== '') return { header: 'x-auth-token', token: own };
  const [, scheme = '', token = ''] = /^(token|bearer)\s+(\S+)$/i.exec(headers.authorization ?? '') ?? [];
  return token === '' ? undefined : { header: scheme.toLowerCase(), token };
}
