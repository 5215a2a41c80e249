import { AuditLog, ENTRIES_PER_CALL } from '@repoless/contract/audit.ts';
import { ACCESS_TOKEN } from '@repoless/sandbox/vendor-host/start-vendor-host.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { OPERATOR } from '../support/backend.ts';
import { forwardTo, startReceiver } from '../support/receiver.ts';
import { KEY, startBuildWorld, until } from './world.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

const ALL = '/organizations/wknd/repositories';
const ADA = 'ada@example.com';
const settings: Record<string, string> = {};
const world = startBeforeAll(() => startBuildWorld(settings));
beforeAll(async () => {
  const body = { email: ADA, roles: ['admin'] };
  expect((await world.backend.call('POST', '/config/wknd/users.json', { as: OPERATOR, body })).status).toBe(200);
});

async function trail() {
  const { entries } = AuditLog.parse((await world.backend.call('GET', '/config/wknd/log.json?limit=1000', { as: OPERATOR })).json());
  return entries.filter(({ action }) => /-(?:repository|webhook|access-token)(?:\/|$)/.test(action)).toReversed();
}

/** Waits until this many actions have been recorded since a moment. Returns their entries. */
async function recorded(since: number, count: number) {
  return await until(async () => {
    const entries = (await trail()).slice(since);
    return entries.length >= count ? entries : undefined;
  });
}

describe('The audit trail of an organization', () => {
  it('records what was done with its external repositories, by whom, in which call and in which order', async () => {
    const since = (await trail()).length;
    const { repositoryId: id } = await world.ready();
    const contentUrl = 'https://author-p100-e200.example.com/bin/franklin.delivery/wknd/lantern/main';
    const created = await world.call('POST', `${ALL}/${id}/sites`, { body: { site: 'lantern', contentUrl }, as: ADA });
    expect(created.status, created.text).toBe(201);
    const { secret } = await world.link(id, 'summit');
    const webhook = await world.webhook(id);
    const synced = await world.call('POST', `${ALL}/${id}/sync`, { body: { branch: 'main' }, as: ADA });
    const retried = await world.call('POST', `${ALL}/${id}/retry`, { body: { accessToken: ACCESS_TOKEN }, as: ADA });
    await world.settled(id, 'READY');
    await world.call('POST', `${ALL}/${id}/retry`, { body: {}, as: ADA });
    await world.settled(id, 'READY');
    for (let times = 0; times < 2; times += 1) expect((await world.call('DELETE', `${ALL}/${id}/link`, { as: ADA })).status).toBe(204);
    const removed = await world.call('DELETE', `${ALL}/${id}`, { as: ADA, headers: { 'x-request-id': 'the-last-of-it' } });
    expect([synced.status, retried.status, removed.status], synced.text).toEqual([202, 202, 204]);
    const entries = await recorded(since, 9);
    expect(entries.map(({ action, site, user }) => ({ action, site, user }))).toEqual([
      { action: `onboard-repository/${id}`, site: undefined, user: OPERATOR },
      { action: `link-repository/${id}`, site: 'lantern', user: ADA },
      { action: `link-repository/${id}`, site: 'summit', user: OPERATOR },
      { action: `rotate-webhook/${id}`, site: undefined, user: OPERATOR },
      { action: `sync-repository/${id}/main`, site: undefined, user: ADA },
      { action: `set-access-token/${id}`, site: undefined, user: ADA },
      { action: `retry-repository/${id}`, site: undefined, user: ADA },
      { action: `unlink-repository/${id}`, site: 'summit', user: ADA },
      { action: `remove-repository/${id}`, site: undefined, user: ADA },
    ]);
    expect(entries.at(-1)?.requestId).toBe('the-last-of-it');
    const text = JSON.stringify(entries);
    for (const hidden of [secret, webhook.secret, webhook.apiKey, ACCESS_TOKEN]) expect(text).not.toContain(hidden);
    const verified = await world.backend.call('GET', '/config/wknd/log/verification.json', { as: OPERATOR });
    expect(verified.json()).toMatchObject({ intact: true });
  });

  it('does not record refused calls', async () => {
    const cloneUrl = `${world.vendor.address}/northwind/public-docs.git`;
    const since = (await trail()).length;
    const { repositoryId } = await world.onboard({ cloneUrl });
    const body = { programId: '100', name: 'Again', vendor: 'github-enterprise', accessToken: ACCESS_TOKEN, cloneUrl };
    expect((await world.call('POST', ALL, { body })).status).toBe(409);
    await world.call('DELETE', `${ALL}/${repositoryId}`);
    expect((await recorded(since, 2)).map(({ action }) => action)).toEqual([
      `onboard-repository/${repositoryId}`,
      `remove-repository/${repositoryId}`,
    ]);
  });

  it('records once what was done while the service was unavailable, even if build management was restarted', async () => {
    const since = (await trail()).length;
    const forward = forwardTo(world.backend.address);
    let answer: 'refused' | 'lost' | 'given' = 'refused';
    const lost: string[] = [];
    const between = await startReceiver((incoming, response) => {
      if (answer === 'given' || incoming.url?.startsWith('/repository-log/') !== true) return forward(incoming, response);
      if (answer === 'refused') return void response.writeHead(503).end();
      // The service has stored it, but its answer is lost.
      lost.push(incoming.url);
      response.on('pipe', (source) =>
        source
          .unpipe(response)
          .resume()
          .on('end', () => response.destroy()),
      );
      forward(incoming, response);
    });
    Object.assign(settings, { SERVICE_ADDRESS: between.address, SERVICE_ISSUER: world.backend.address });
    await world.restart();
    const { repositoryId: id } = await world.ready();
    await world.link(id, 'lantern');
    expect((await trail()).slice(since)).toEqual([]);
    answer = 'lost';
    await world.restart();
    await recorded(since, 2);
    await until(async () => (lost.length > 0 ? true : undefined));
    answer = 'given';
    await world.restart();
    await world.link(id, 'summit');
    expect((await recorded(since, 3)).map(({ action, site }) => [action, site])).toEqual([
      [`onboard-repository/${id}`, undefined],
      [`link-repository/${id}`, 'lantern'],
      [`link-repository/${id}`, 'summit'],
    ]);
    await between.stop();
    delete settings['SERVICE_ADDRESS'];
    delete settings['SERVICE_ISSUER'];
    await world.restart();
  });
});

describe('The address for build management', () => {
  const entry = {
    id: '0d9ff2a4-52a7-4d9c-8b8c-0c5f0a2f3b11',
    time: '2026-03-04T05:06:07.000Z',
    user: ADA,
    action: 'link-repository',
    subject: '7',
    site: 'lantern',
    requestId: 'call-1',
  };
  const idOf = (index: number) => `0d9ff2a4-52a7-4d9c-8b8c-1${String(index).padStart(11, '0')}`;
  const send = (org: string, entries: readonly unknown[], authorization = `Bearer ${KEY}`) =>
    world.backend.call('POST', `/repository-log/${org}`, { body: { entries }, headers: { authorization } });

  it('stores an entry once, however often it is sent', async () => {
    const since = (await trail()).length;
    for (let times = 0; times < 2; times += 1) expect((await send('wknd', [entry, entry])).status).toBe(204);
    expect((await trail()).slice(since)).toEqual([
      expect.objectContaining({ action: 'link-repository/7', site: 'lantern', user: ADA, time: entry.time, requestId: 'call-1' }),
    ]);
  });

  it('accepts as many at once as build management sends, with the longest names', async () => {
    const since = (await trail()).length;
    const long = { ...entry, user: `${'u'.repeat(300)}@example.com`, subject: `7/${'b'.repeat(250)}`, site: 's'.repeat(40) };
    const entries = Array.from({ length: ENTRIES_PER_CALL }, (_, index) => ({ ...long, id: idOf(index) }));
    expect((await send('wknd', entries)).status).toBe(204);
    expect((await trail()).slice(since)).toHaveLength(ENTRIES_PER_CALL);
  });

  it('refuses callers without the key, and stores nothing that it refuses', async () => {
    const since = (await trail()).length;
    const other = { ...entry, id: '0d9ff2a4-52a7-4d9c-8b8c-0c5f0a2f3b12' };
    expect((await send('wknd', [other], 'Bearer another')).status).toBe(401);
    expect((await world.backend.call('POST', '/repository-log/wknd', { as: OPERATOR, body: { entries: [other] } })).status).toBe(401);
    expect((await send('wknd', [], 'Bearer another')).status).toBe(401);
    expect((await send('nobody', [other])).status).toBe(404);
    expect((await send('wknd', [other, { ...other, action: 'put-org' }])).status).toBe(400);
    expect((await trail()).slice(since)).toEqual([]);
  });
});
