import { parse, serialize } from 'cookie';
import type { SerializeOptions } from 'cookie';

export const AUTH_COOKIE = 'auth_token';

/** The value of a cookie of a Cookie header; undefined if it is absent or empty. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  return parse(header ?? '')[name] || undefined;
}

/** The Set-Cookie of a token; it ends when the token does. `exp` in seconds since 1970. */
export function sessionCookie(token: string, exp: number, { now, secure }: { now: Date; secure: boolean }): string {
  const maxAge = Math.max(0, exp - Math.floor(now.getTime() / 1000));
  return printCookie(AUTH_COOKIE, token, { path: '/', sameSite: 'strict', secure, maxAge });
}

export function clearedSessionCookie(secure: boolean): string {
  return printCookie(AUTH_COOKIE, '', { path: '/', sameSite: 'strict', secure, maxAge: 0 });
}

/** A Set-Cookie header, which scripts of a page cannot read. */
export function printCookie(name: string, value: string, options: SerializeOptions): string {
  return serialize(name, value, { ...options, httpOnly: true });
}
