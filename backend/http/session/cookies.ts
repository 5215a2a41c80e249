export const AUTH_COOKIE = 'auth_token';

/** The value of a cookie of a Cookie header; undefined where it is absent or empty. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  for (const pair of (header ?? '').split(';')) {
    const [key, ...value] = pair.split('=');
    if (key?.trim() === name) return value.join('=').trim() || undefined;
  }
  return undefined;
}

/** The Set-Cookie of a token; it ends when the token does. `exp` in seconds since 1970. */
export function sessionCookie(token: string, exp: number, { now, secure }: { now: Date; secure: boolean }): string {
  const maxAge = Math.max(0, exp - Math.floor(now.getTime() / 1000));
  return printCookie(AUTH_COOKIE, token, { path: '/', sameSite: 'Strict', secure, maxAge });
}

export function clearedSessionCookie(secure: boolean): string {
  return printCookie(AUTH_COOKIE, '', { path: '/', sameSite: 'Strict', secure, maxAge: 0 });
}

export interface CookieOptions {
  readonly path: string;
  readonly sameSite: 'Strict' | 'Lax';
  /** Only over HTTPS. */
  readonly secure: boolean;
  /** Seconds; 0 clears the cookie. */
  readonly maxAge: number;
}

/** A Set-Cookie header. The value must be free of `;`, white space and quotes: our tokens and identifiers are. */
export function printCookie(name: string, value: string, options: CookieOptions): string {
  const { path, sameSite, secure, maxAge } = options;
  return `${name}=${value}; Path=${path}; Max-Age=${maxAge}; HttpOnly; SameSite=${sameSite}${secure ? '; Secure' : ''}`;
}
