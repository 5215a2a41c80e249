import { AUTH_COOKIE } from './authenticate.ts';
import { printCookie } from './cookies.ts';

/** The Set-Cookie of a token; it ends when the token does. `exp` in seconds since 1970. */
export function sessionCookie(token: string, exp: number, { now, secure }: { now: Date; secure: boolean }): string {
  const maxAge = Math.max(0, exp - Math.floor(now.getTime() / 1000));
  return printCookie(AUTH_COOKIE, token, { path: '/', sameSite: 'Strict', secure, maxAge });
}

export function clearedSessionCookie(secure: boolean): string {
  return printCookie(AUTH_COOKIE, '', { path: '/', sameSite: 'Strict', secure, maxAge: 0 });
}
