import { EXAMPLE } from '@repoless/sandbox/hosted/example.ts';
import { type Hosted, startHosted } from '@repoless/sandbox/hosted/start-hosted.ts';
import { afterAll, beforeAll, expect } from 'vitest';
import { request } from 'undici';

export interface HostedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** The body as JSON; undefined if it is not JSON. */
  readonly json: unknown;
  /** `x-error`. */
  readonly error: string | undefined;
}
export type Ask = (
  method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE' | 'OPTIONS',
  path: string,
  body?: unknown,
  headers?: Readonly<Record<string, string>>,
) => Promise<HostedAnswer>;

/** Sends requests as a server does: without an origin. Strings are sent unchanged. */
export function asker(address: string, credential: Readonly<Record<string, string>> = {}): Ask {
  return async (method, path, body, headers = {}) => {
    const answer = await request(`${address}${path}`, {
      method,
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...credential, ...headers },
      body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body),
    });
    const text = await answer.body.text();
    const isJson = String(answer.headers['content-type']).includes('json');
    const error = answer.headers['x-error'];
    return {
      status: answer.statusCode,
      headers: answer.headers,
      text,
      json: isJson && text !== '' ? JSON.parse(text) : undefined,
      error: typeof error === 'string' ? error : undefined,
    };
  };
}

/** A stand-in for the tests of a file, without a request limit; requests that it must never receive fail them. */
export function hostedForTests() {
  let hosted: Hosted | undefined;
  const started = (): Hosted => {
    if (hosted === undefined) throw new Error('The stand-in is started before the tests.');
    return hosted;
  };
  beforeAll(async () => {
    hosted = await startHosted({ switches: { requestsPerSecond: 0 } });
  });
  afterAll(async () => {
    const violations = [...started().violations];
    await started().close();
    expect(violations).toEqual([]);
  });
  const as = (email: string): Ask => asker(started().address, { 'x-auth-token': started().token('session', { email }) });
  return {
    started,
    as,
    /** The organization's administrator. */
    admin: () => as(EXAMPLE.admin),
    anonymous: () => asker(started().address),
    delivery: (tier: 'preview' | 'live', site: string): Ask => {
      const domain = tier === 'preview' ? started().previewDomain : started().liveDomain;
      return asker(started().address, { host: `main--${site}--${EXAMPLE.org}.${domain}` });
    },
  };
}

export function sitePath(site: string, part?: string): string {
  return `/config/${EXAMPLE.org}/sites/${site}${part === undefined ? '' : `/${part}`}.json`;
}
