import { ServiceState } from '@repoless/contract/operator.ts';
import { VERSION } from '@repoless/contract/version.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Store } from '@repoless/service/domain/ports.ts';
import { openStore } from '@repoless/service/db/open-store.ts';
import type { TestAnswer } from '../support/ask.ts';
import { OPERATOR, siteBody, startTestBackend } from '../support/backend.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

const ADA = 'ada.admin@example.com';
const HTML = { accept: 'text/html' };
let failure: Error | undefined;
const backend = startBeforeAll(() =>
  startTestBackend({
    open: (dataDir) => breakable(dataDir, () => failure),
    settings: { ORG_SITES: '4', ORG_SECRETS: '0' },
  }),
);
beforeAll(async () => {
  for (const site of ['one', 'two', 'three']) {
    const answer = await backend.call('PUT', `/config/wknd/sites/${site}.json`, { as: OPERATOR, body: siteBody('wknd', site) });
    expect(answer.status).toBe(201);
  }
});

/** A storage whose sites cannot be read when it is told so. */
async function breakable(dataDir: string, failing: () => Error | undefined): Promise<Store> {
  const store = await openStore({ dataDir });
  const orgAndSite: Store['reads']['orgAndSite'] = (org, site) => {
    const error = failing();
    return error === undefined ? store.reads.orgAndSite(org, site) : Promise.reject(error);
  };
  const reads: Store['reads'] = Object.create(store.reads, { orgAndSite: { value: orgAndSite } });
  return Object.create(store, { reads: { value: reads } });
}

async function state(): Promise<ServiceState> {
  const answer = await backend.call('GET', '/admin/state', { as: OPERATOR });
  expect([answer.status, answer.headers['cache-control']]).toEqual([200, 'no-store, private, must-revalidate']);
  return ServiceState.parse(answer.json());
}

async function page(who: string): Promise<TestAnswer> {
  return await backend.call('GET', '/admin', { headers: { ...HTML, cookie: `auth_token=${await backend.token(who)}` } });
}

async function fail(error: Error, requestId: string): Promise<void> {
  failure = error;
  const answer = await backend.call('GET', '/config/wknd/sites/one.json', { as: OPERATOR, headers: { 'x-request-id': requestId } });
  failure = undefined;
  expect(answer.status).toBe(500);
}

describe('the state of the service', () => {
  it('tells what runs, on which tables, and since when', async () => {
    const { time, service, storage, nodes } = await state();
    expect(service).toMatchObject({ version: VERSION, node: process.versions.node });
    expect(Date.parse(service.started) + service.uptime * 1000).toBeLessThanOrEqual(Date.parse(time));
    expect(storage).toEqual({ kind: 'sqlite', schema: expect.stringMatching(/^\d{4}-/) });
    expect(nodes).toEqual([{ name: `process ${process.pid}`, self: true, running: true }]);
  });

  it('tells what waits, and leaves out what there is not', async () => {
    const { jobs, queues } = await state();
    expect(jobs).toEqual({ states: [], failed: 0, oldest: [] });
    expect(queues).toEqual({ syncs: { waiting: 0 }, rollouts: { waiting: 0 }, messages: { waiting: 0 } });
  });

  it('names organizations by the part that they have used, and no quota that there is not', async () => {
    const { quotas } = await state();
    expect(quotas[0]).toEqual({ org: 'wknd', quota: 'sites', used: 3, limit: 4 });
    expect(quotas.map(({ quota }) => quota)).not.toContain('secrets');
    const shares = quotas.map(({ used, limit }) => used / limit);
    expect(shares).toEqual(shares.toSorted((one, other) => other - one));
  });

  it('keeps the latest failures with their request ids, newest first, fifty of them, without tokens', async () => {
    await fail(new Error('the first of all'), 'first');
    for (let count = 1; count < 50; count++) await fail(new Error(`disk ${count} burns`), `unlucky-${count}`);
    await fail(new Error(`Bearer ${await backend.token(ADA)} ${'x'.repeat(5000)}`), 'secretive');
    const { failures } = await state();
    expect(failures).toHaveLength(50);
    expect(failures[0]).toMatchObject({ requestId: 'secretive', error: expect.stringMatching(/^Error: \[sealed\] x+$/) });
    expect(failures[0]?.error.length).toBe(300);
    expect(failures[1]).toMatchObject({ requestId: 'unlucky-49', error: 'Error: disk 49 burns' });
    expect(failures.map(({ requestId }) => requestId)).not.toContain('first');
  });
});

describe('the page', () => {
  it('leads whoever is not signed in to the sign-in and back', async () => {
    const answer = await backend.call('GET', '/admin', { headers: HTML });
    expect([answer.status, answer.headers['location']]).toEqual([302, '/login?returnTo=%2Fadmin']);
  });

  it('says to others than operators that it is not for them', async () => {
    const answer = await page(ADA);
    expect([answer.status, answer.headers['x-error-code']]).toEqual([403, 'NOT_AUTHORIZED']);
    expect(answer.text).toContain(`You are signed in as <strong>${ADA}</strong>`);
    expect(answer.text).not.toContain('Queues');
  });

  it('takes no cookie that another origin makes the browser send', async () => {
    const cookie = `auth_token=${await backend.token(OPERATOR)}`;
    const answer = await backend.call('GET', '/admin', { headers: { ...HTML, cookie, 'sec-fetch-site': 'cross-site' } });
    expect([answer.status, answer.headers['location']]).toEqual([302, '/login?returnTo=%2Fadmin']);
    const foreign = await backend.call('GET', '/admin/state', { headers: { cookie, origin: 'https://elsewhere.example.com' } });
    expect(foreign.status).toBe(401);
  });

  it('shows an operator the same as the call, with a policy under which nothing runs', async () => {
    await fail(new Error('<script>alert("burns")</script>'), 'scripted');
    const { status, headers, text } = await page(OPERATOR);
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'nonce-[\w-]+'; script-src 'nonce-[\w-]+';/);
    for (const title of ['Nodes', 'Code syncs', 'Queues', 'Last failures of this node', 'Nearest to their quotas'])
      expect(text).toContain(`<h2>${title}</h2>`);
    const { storage } = await state();
    for (const shown of [storage.schema, `process ${process.pid} (this node)`, '75%', 'scripted', 'Event messages to send'])
      expect(text).toContain(shown);
    expect(text).not.toContain('<script>alert');
  });
});
