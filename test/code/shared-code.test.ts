import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { LIMITS } from '@repoless/contract/limits.ts';
import { OPERATOR, startTestBackend, type TestBackend } from '../support/backend.ts';
import { codeCalls, startCodeWorld } from '../support/code-world.ts';
import { startReceiver } from '../support/receiver.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

const ORGS = ['acme', 'wknd', 'other'];

const put = (backend: TestBackend, org: string, site: string, owner: string, repo = 'code') =>
  codeCalls(backend).register(`${org}/${site}`, { code: { owner, repo } }, 'unchecked');

const statusOf = (backend: TestBackend, org: string, site: string) => codeCalls(backend).status(`${org}/${site}`);

describe('the sync of a repository that several organizations use', () => {
  let isDone = false;
  /** Repositories whose requests wait for an answer. */
  const held = new Map<ServerResponse, string>();

  const codeHost = startBeforeAll(() =>
    startReceiver((request, response) => {
      if (isDone) return void response.writeHead(404).end();
      held.set(response, /^\/([^/]+\/[^/]+)\//.exec(request.url ?? '')?.[1] ?? '');
      response.once('close', () => held.delete(response));
    }),
  );
  const backend = startBeforeAll(() => {
    const settings = { CODE_HOST: codeHost.address, CODE_HOST_RAW: `${codeHost.address}/raw`, FIRST_CODE_SYNC: 'yes' };
    return startTestBackend({ dryRun: false, orgs: ORGS, settings });
  });
  afterEach(async () => {
    isDone = true;
    for (const response of held.keys()) response.writeHead(404).end();
    await expect.poll(async () => (await backend.store.code.openJobs(10)).length).toBe(0);
    isDone = false;
  });

  const stop = async (org: string, site: string) => {
    const { name } = await statusOf(backend, org, site);
    return await backend.call('DELETE', `/job/${org}/${site}/main/code/${name}`, { as: OPERATOR });
  };
  const isInProgress = async (org: string, site: string) => (await statusOf(backend, org, site)).state !== 'stopped';

  it('can be stopped by the organization that owns the code, not by one that did not start it', async () => {
    await put(backend, 'wknd', 'own', 'wknd', 'one');
    await put(backend, 'other', 'theirs', 'wknd', 'one');
    const refused = await stop('other', 'theirs');
    expect([refused.status, refused.headers['x-error-code']]).toEqual([403, 'NOT_AUTHORIZED']);
    expect(refused.text).toContain('An administrator of \\"wknd\\" can.');
    const rolledBack = await backend.call('PUT', '/served-code/other/theirs/main', { as: OPERATOR, body: { sha: null } });
    expect([rolledBack.status, rolledBack.headers['x-error-code']]).toEqual([403, 'NOT_AUTHORIZED']);
    expect(await isInProgress('wknd', 'own')).toBe(true);
    expect((await backend.call('POST', '/code/other/theirs/main/*', { as: OPERATOR })).json()).toMatchObject({ joined: true });
    expect((await stop('wknd', 'own')).status).toBe(204);
    expect(await isInProgress('wknd', 'own')).toBe(false);
  });

  it('can be stopped by the organization that started it, unless another one joined', async () => {
    for (const site of ['alone', 'joined']) {
      await put(backend, 'other', site, 'third', site);
      await put(backend, 'wknd', `on-${site}`, 'third', site);
    }
    expect((await stop('wknd', 'on-alone')).status).toBe(403);
    expect((await stop('other', 'alone')).status).toBe(204);
    expect((await backend.call('POST', '/code/wknd/on-joined/main/*', { as: OPERATOR })).json()).toMatchObject({ joined: true });
    expect((await stop('other', 'joined')).status).toBe(403);
    expect(await isInProgress('other', 'joined')).toBe(true);
  });

  it('counts for the organization that requested it, whoever owns the code', async () => {
    const owners = Array.from({ length: LIMITS.syncsAtOnce }, (_, index) => `owner-${index}`);
    for (const owner of owners) await put(backend, 'other', `on-${owner}`, owner);
    await put(backend, 'acme', 'last', 'acme');
    await expect.poll(() => [...held.values()]).toContain('acme/code');
    const theirs = new Set([...held.values()].filter((repository) => repository.startsWith('owner-')));
    expect(theirs.size).toBe(LIMITS.syncsAtOnce / 2);
    expect((await statusOf(backend, 'other', `on-${owners.at(-1)}`)).data?.waiting).toContain(
      'other syncs of this organization are in progress',
    );
    await put(backend, 'wknd', 'beside', owners.at(-1) ?? '');
    const waits = (await statusOf(backend, 'wknd', 'beside')).data?.waiting;
    expect(waits).toBe('Other syncs are in progress. This one starts when one of them ends.');
  });
});

describe('a sync that others join', () => {
  it('is limited in time per round, and only shows who started it to their own organization', async () => {
    const world = await startCodeWorld({ orgs: ['wknd', 'other'], settings: { CODE_SYNC_TIME: String(SECONDS) } });
    const { backend } = world;
    try {
      await world.register('own');
      await put(backend, 'other', 'theirs', 'wknd', 'wknd');
      expect((await world.sync('own')).error).toBeUndefined();
      const end = performance.now() + SECONDS * 1000;
      let rounds = 0;
      await world.backend.call('POST', '/code/wknd/own/main/*', { as: OPERATOR });
      while (performance.now() < end) {
        expect((await backend.call('POST', '/code/other/theirs/main/*', { as: OPERATOR })).status).toBe(202);
        rounds += 1;
      }
      expect(rounds).toBeGreaterThan(1);
      expect((await world.ended('own')).error).toBeUndefined();
      expect((await world.sync('own')).user).toBe(OPERATOR);
      const { user, name } = await statusOf(backend, 'other', 'theirs');
      expect([name, user]).toEqual([expect.stringMatching(/^job-/), undefined]);
    } finally {
      await world.stop();
    }
  });
});

it('a sync that is joined repeatedly yields its slot to waiting ones of the same share', { timeout: 90_000 }, async () => {
  const world = await startCodeWorld({ orgs: ['wknd', 'other'], dryRun: false, settings: { ORG_SYNCS_AT_ONCE: '1' } });
  const { backend } = world;
  let isDone = false;
  const requestSync = async (org: string, site: string) =>
    expect((await backend.call('POST', `/code/${org}/${site}/main/*`, { as: OPERATOR })).status).toBe(202);
  const joining = async () => {
    while (!isDone) await requestSync('other', 'theirs');
  };
  try {
    await world.register('own');
    await put(backend, 'other', 'theirs', 'wknd', 'wknd');
    await put(backend, 'wknd', 'waiting', 'wknd', 'legacy');
    await requestSync('wknd', 'own');
    const joins = joining();
    const { name } = await statusOf(backend, 'wknd', 'own');
    await requestSync('wknd', 'waiting');
    await expect
      .poll(async () => (await statusOf(backend, 'wknd', 'waiting')).state, { timeout: 40_000 })
      .toBe('stopped')
      .finally(() => (isDone = true));
    await joins;
    // The joined sync is still one, and ends with the branch's content.
    expect(await world.ended('own')).toMatchObject({ name, data: { phase: 'completed' } });
    expect((await statusOf(backend, 'wknd', 'own')).error).toBeUndefined();
  } finally {
    isDone = true;
    await world.stop();
  }
});

/** Longer than a round takes, on a busy machine too. */
const SECONDS = 5;
