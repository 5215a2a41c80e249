import type { Remote } from './remote.ts';

/** What openid-client and jose ask of a fetch. */
interface FetchOptions {
  readonly method: string;
  readonly headers: Headers | Record<string, string>;
  readonly body?: unknown;
}

/** The guarded way out in the form of `fetch`, for libraries that speak to identity providers. Redirects are not followed. */
export function remoteFetch(remote: Remote): (url: string, options: FetchOptions) => Promise<Response> {
  return async (url, options) => {
    const body = options.body;
    const answer = await remote.send({
      url,
      method: options.method === 'POST' ? 'POST' : 'GET',
      below: `${new URL(url).origin}/`,
      goesOn: true,
      headers: Object.fromEntries(new Headers(options.headers)),
      ...(body instanceof URLSearchParams || typeof body === 'string' ? { body: body.toString() } : {}),
    });
    const headers = Object.entries(answer.headers).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, value]],
    );
    const bodiless = [101, 204, 205, 304].includes(answer.status);
    return new Response(bodiless ? null : Buffer.from(answer.body), { status: answer.status, headers });
  };
}
