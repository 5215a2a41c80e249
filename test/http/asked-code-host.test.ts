import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { LIMITS } from '@repoless/contract/limits.ts';
import { startTestBackend } from '../support/backend.ts';
import type { TestBackend } from '../support/backend.ts';

const ADA = 'ada@example.com';
const OTTO = 'otto@example.com';

let codeHost: Server;
let backend: TestBackend;
/** What the code host was asked for. */
let asked: string[] = [];
beforeAll(async () => {
  codeHost = createServer((request, response) => {
    const { url = '' } = request;
    asked.push(url);
    response.writeHead(url.startsWith('/orgs/real-') ? 200 : 404, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((listening) => codeHost.listen(0, '127.0.0.1', listening));
  const address = `http://localhost:${(codeHost.address() as AddressInfo).port}`;
  backend = await startTestBackend({
    claim: false,
    dryRun: false,
    settings: { CODE_HOST_API: address, CODE_HOST_RAW: address },
  });
});
afterAll(async () => {
  await backend.stop();
  codeHost.closeAllConnections();
  await new Promise((closed) => codeHost.close(closed));
});
beforeEach(() => {
  asked = [];
});

const challenge = (org: string, as = ADA, query = '', repository = 'site') =>
  backend.call('POST', `/config/${org}/challenge.json${query}`, { as, body: { repository } });
const claim = (org: string, as = ADA) => backend.call('PUT', `/config/${org}.json`, { as, body: {} });
const codes = (answers: readonly { status: number; headers: Readonly<Record<string, unknown>> }[]) =>
  answers.map(({ status, headers }) => [status, headers['x-error-code']]);

describe('The code host', () => {
  it('is asked once for what is asked again and again', async () => {
    for (let count = 0; count < 50; count += 1) expect(codes([await claim('real-one')])).toEqual([[403, 'CLAIM_NOT_PROVEN']]);
    for (let count = 0; count < 50; count += 1) expect((await challenge('real-one', ADA, '?dryRun=true')).status).toBe(200);
    for (let count = 0; count < 50; count += 1) expect((await challenge('real-one')).status).toBe(200);
    expect(asked).toEqual(['/orgs/real-one']);
  });

  it('is asked for a claim that has no challenge, which says that there is no such organization', async () => {
    expect(codes([await claim('none')])).toEqual([[422, 'ORG_UNKNOWN_ON_CODE_HOST']]);
    expect(asked).toEqual(['/orgs/none']);
  });

  it('is asked once by many who come at the same time', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, (_, person) => challenge('real-two', `person${person}@example.com`)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(asked).toEqual(['/orgs/real-two']);
  });

  it('is asked for LIMITS.codeHostLooks organizations by one person in an hour, and others are answered meanwhile', async () => {
    const names = Array.from({ length: LIMITS.codeHostLooks }, (_, index) => `none-${index}`);
    for (const name of names) expect(codes([await challenge(name, 'nadia@example.com')])).toEqual([[422, 'ORG_UNKNOWN_ON_CODE_HOST']]);
    expect(codes([await claim('none-0', 'nadia@example.com')])).toEqual([[403, 'CLAIM_NOT_PROVEN']]);
    const refused = await challenge('real-three', 'nadia@example.com');
    expect(codes([refused])).toEqual([[429, 'RATE_LIMITED']]);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(60);
    expect((await challenge('real-three', 'sam@example.com')).status).toBe(200);
    expect(asked).toHaveLength(LIMITS.codeHostLooks + 1);
  });

  it('reads LIMITS.codeHostFiles files with challenges for a person in an hour', async () => {
    for (let count = 0; count < LIMITS.challengesOfOrg; count += 1)
      expect((await challenge('real-four', OTTO, '', `site-${count}`)).status).toBe(200);
    for (let count = 0; count < LIMITS.codeHostFiles / LIMITS.challengesOfOrg; count += 1)
      expect(codes([await claim('real-four', OTTO)])).toEqual([[403, 'CLAIM_NOT_PROVEN']]);
    expect(codes([await claim('real-four', OTTO)])).toEqual([[429, 'RATE_LIMITED']]);
    expect(asked).toHaveLength(1 + LIMITS.codeHostFiles);
  });
});
