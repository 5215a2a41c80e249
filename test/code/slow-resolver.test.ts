import { LIMITS } from '@repoless/contract/limits.ts';
import { createLookups, limitLookups, type Resolve } from '@repoless/service/remote/guarded-lookup.ts';
import { createRemote } from '@repoless/service/remote/remote.ts';
import { describe, expect, it, vi } from 'vitest';
import { OPERATOR, siteBody, startTestBackend } from '../support/backend.ts';
import { collectGarbage } from '../support/collect-garbage.ts';
import { startReceiver } from '../support/receiver.ts';

/** A resolver that answers on demand, and counts queries. */
function pausedResolver() {
  const held: (() => void)[] = [];
  let limit = 0;
  let open = 0;
  const resolve: Resolve = (hostname, _options, callback) => {
    open += 1;
    limit = Math.max(limit, open);
    held.push(() => {
      open -= 1;
      callback(null, [{ address: hostname === 'internal.example' ? '10.0.0.1' : '192.0.2.1', family: 4 }]);
    });
  };
  return { resolve, held, limit: () => limit };
}

const lookUp = (resolve: Resolve, hostname: string) =>
  new Promise<string>((done) => resolve(hostname, { all: true }, (error, addresses) => done(error?.code ?? addresses[0]?.address ?? '')));

describe('names of tenants', () => {
  it('are resolved LIMITS.lookups at once, and fail after LIMITS.lookupTime, not before', async () => {
    vi.useFakeTimers();
    try {
      const { resolve, held } = pausedResolver();
      const limited = limitLookups(resolve, { limit: LIMITS.lookups, deadline: LIMITS.lookupTime });
      const codes: string[] = [];
      const answers = Array.from({ length: LIMITS.lookups + 1 }, (_, n) =>
        lookUp(limited, `host-${n}.example`).then((code) => codes.push(code)),
      );
      expect(held.length).toBe(LIMITS.lookups);
      await vi.advanceTimersByTimeAsync(LIMITS.lookupTime - 1);
      expect(codes).toEqual([]);
      await vi.advanceTimersByTimeAsync(1);
      await Promise.all(answers);
      expect(codes).toEqual(codes.map(() => 'EAI_AGAIN'));
    } finally {
      vi.useRealTimers();
    }
  });

  it('are resolved a few at a time, the others afterwards', async () => {
    const { resolve, held, limit } = pausedResolver();
    const limited = limitLookups(resolve, { limit: 2, deadline: 60_000 });
    const answers = Array.from({ length: 20 }, (_, n) => lookUp(limited, `host-${n}.example`));
    expect(held.length).toBe(2);
    for (let answered = 0; answered < 20; answered += 1) held.shift()?.();
    expect(new Set(await Promise.all(answers))).toEqual(new Set(['192.0.2.1']));
    expect(limit()).toBe(2);
  });

  it('fail if the resolver does not respond, together with those that wait; late answers are ignored', async () => {
    const { resolve, held } = pausedResolver();
    const limited = limitLookups(resolve, { limit: 2, deadline: 50 });
    const codes = await Promise.all(Array.from({ length: 10 }, (_, n) => lookUp(limited, `host-${n}.example`)));
    expect(new Set(codes)).toEqual(new Set(['EAI_AGAIN']));
    expect(held.length).toBe(2);
    for (const answer of held.splice(0)) answer();
    const again = lookUp(limited, 'host.example');
    held.shift()?.();
    expect(await again).toBe('192.0.2.1');
  });

  it('leave nothing in memory after they failed, however long the resolver takes', async () => {
    const { resolve } = pausedResolver();
    const limited = limitLookups(resolve, { limit: 2, deadline: 50 });
    const callers = await Promise.all(
      Array.from({ length: 100 }, async (_, n) => {
        const options = { all: true } as const;
        await new Promise<void>((done) => limited(`host-${n}.example`, options, () => done()));
        return new WeakRef(options);
      }),
    );
    const remaining = () => (collectGarbage(), callers.filter((one) => one.deref() !== undefined).length);
    await expect.poll(remaining).toBeLessThanOrEqual(2);
  });

  it('that fail make their request fail with a message', async () => {
    const { resolve } = pausedResolver();
    const limited = limitLookups(resolve, { limit: 2, deadline: 50 });
    const remote = createRemote({ internalAddresses: 'refuse', timeout: 60_000, sizeLimit: 1000, resolve: limited });
    await expect(remote.send({ url: 'https://silent.example/', method: 'GET' })).rejects.toThrow(/silent\.example/);
    await remote.close();
  });
});

describe('names of the operator’s partners', () => {
  it('are resolved while LIMITS.lookups names of tenants get no answer, so that people can sign in', async () => {
    const provider = await startReceiver((request, response) => {
      const issuer = `http://${request.headers.host}`;
      const endpoints = { authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${issuer}/token`, jwks_uri: `${issuer}/keys` };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ issuer, ...endpoints }));
    });
    const tenants: (() => void)[] = [];
    const backend = await startTestBackend({
      resolve(hostname, _options, callback) {
        if (hostname.endsWith('.tenant.example')) tenants.push(() => callback(new Error('no such name'), []));
        else callback(null, [{ address: '127.0.0.1', family: 4 }]);
      },
      settings: {
        IDP_ISSUER: `http://idp.operator.example:${provider.port}`,
        IDP_CLIENT_ID: 'service',
        IDP_CLIENT_SECRET: 'secret-of-the-service',
        CONTENT_TIME: '1',
        SHUTDOWN_GRACE: '0',
      },
    });
    const content = { source: { url: 'http://silent.tenant.example/pages', type: 'markup', suffix: '.html' } };
    await backend.call('PUT', '/config/wknd/sites/silent.json', { as: OPERATOR, body: siteBody('wknd', 'silent', { content }) });
    const pages = Promise.allSettled(
      Array.from({ length: 8 }, (_, n) => backend.visit('live', 'main--silent--wknd', `/page-${n}`).then(({ status }) => status)),
    );
    await expect.poll(() => tenants.length).toBe(LIMITS.lookups);
    const { status, headers } = await backend.call('GET', '/login', { headers: { accept: 'text/html' } });
    expect([status, headers['location']]).toEqual([302, expect.stringContaining('http://idp.operator.example')]);
    expect(tenants.length).toBe(LIMITS.lookups);
    await pages;
    for (const answer of tenants) answer();
    await backend.stop();
    await provider.stop();
  });

  it('have LIMITS.partnerLookups slots, wherever they are reached from', async () => {
    const { resolve, held } = pausedResolver();
    const { tenants, partners } = createLookups(['https://code.operator.example'], resolve);
    const answers = ['one', 'two', 'three'].map((name) => lookUp(tenants, `${name}.tenant.example`));
    expect(held.length).toBe(LIMITS.lookups);
    answers.push(lookUp(partners, 'idp.operator.example'), lookUp(tenants, 'code.operator.example'));
    expect(held.length).toBe(LIMITS.lookups + LIMITS.partnerLookups);
    while (held.length > 0) held.shift()?.();
    expect(new Set(await Promise.all(answers))).toEqual(new Set(['192.0.2.1']));
  });
});
