import { EXAMPLE, exampleSite } from '@repoless/sandbox/hosted/example.ts';
import { HostedSwitches } from '@repoless/sandbox/hosted/switches.ts';
import { afterEach, describe, expect, it } from 'vitest';
import { asker, hostedForTests, sitePath } from './hosted-client.ts';

const { org } = EXAMPLE;

describe('the hosted service', () => {
  const { started, as, admin, anonymous, delivery } = hostedForTests();
  afterEach(() => started().set(HostedSwitches.parse({ requestsPerSecond: 0 })));
  const create = async (site: string, more: object = {}) => {
    expect((await admin()('PUT', sitePath(site), { ...exampleSite(site), ...more })).status).toBe(201);
  };
  const ownCode = (site: string) => ({
    code: { owner: org, repo: site, source: { type: 'github', url: `https://github.com/${org}/${site}` } },
  });
  const sync = (site: string) => admin()('POST', `/code/${org}/${site}/main/*`);
  const details = async (site: string, name: string) => await admin()('GET', `/job/${org}/${site}/main/code/${name}/details`);

  it('synchronizes code in phases', async () => {
    await create('synced', ownCode('synced'));
    const jobs = `/job/${org}/synced/main/code`;
    expect(await admin()('GET', jobs)).toMatchObject({ status: 404, text: '' });
    expect((await admin()('GET', `/status/${org}/synced/main`)).json).toMatchObject({ code: { status: 404 } });
    started().set({ jobMs: 60_000 });
    const queued = await sync('synced');
    expect(queued).toMatchObject({ status: 202, json: { messageId: expect.any(String), job: { topic: 'code', state: 'created' } } });
    const { name } = (queued.json as { job: { name: string } }).job;
    expect(name).toMatch(/^job-\d{4}(?:-\d{2}){5}-[0-9a-f]{8}$/);
    expect(await details('synced', name)).toMatchObject({
      status: 202,
      json: { state: 'running', data: { phase: 'collect', owner: org } },
    });
    expect((await admin()('GET', jobs)).json).toMatchObject({
      topic: 'code',
      jobs: [{ name, state: 'running', href: `${jobs}/${name}` }],
      links: { self: jobs },
    });
    expect((await admin()('GET', `${jobs}/${name}`)).json).not.toHaveProperty('data');
    expect((await admin()('DELETE', `${jobs}/${name}`)).status).toBe(204);
    expect((await admin()('DELETE', `${jobs}/${name}`)).status).toBe(409);
    expect((await details('synced', name)).json).toMatchObject({ state: 'stopped', cancelled: true });
    started().set({ jobMs: 0, jobDetailsStatus: 200 });
    const next = ((await sync('synced')).json as { job: { name: string } }).job.name;
    expect(await details('synced', next)).toMatchObject({ status: 200, json: { state: 'stopped', data: { phase: 'completed' } } });
    expect((await admin()('GET', `/status/${org}/synced/main`)).json).toMatchObject({ code: { status: 200 } });
    expect((await admin()('GET', `/job/${org}/synced/main/nonsense`)).status).toBe(404);
    expect((await anonymous()('POST', `/code/${org}/synced/main/*`)).status).toBe(401);
  });

  it('synchronizes a repository only under its own name, and only with the app installed', async () => {
    await create('borrowing');
    const refused = await sync('borrowing');
    expect(refused).toMatchObject({ status: 403, error: '[admin] Code operation restricted to canonical source: wknd/wknd' });
    expect(refused.headers['x-error-code']).toBe('AEM_ NOT_CANONICAL_CODE_SOURCE');
    expect((await sync('wknd')).status).toBe(202);
    started().set({ appMissing: [org] });
    expect(await sync('wknd')).toMatchObject({ status: 400, error: '[admin] github bot not installed on repository.' });
    expect((await admin()('GET', `/status/${org}/borrowing/main`)).json).toMatchObject({ code: { status: 400 } });
  });

  it('synchronizes an external repository with its secret', async () => {
    const source = {
      type: 'byogit',
      url: 'https://git.example.com/team/repo.git',
      raw_url: 'https://raw.example.com/team/repo',
      secretId: 'cm-byog',
    };
    await create('external', { code: { owner: org, repo: 'external', source } });
    const run = async () => (await details('external', ((await sync('external')).json as { job: { name: string } }).job.name)).json;
    expect(await run()).toMatchObject({ error: 'Unable to fetch hlxignore: 401' });
    await admin()('POST', sitePath('external', 'secrets/cm-byog'), { value: 'x' });
    expect(await run()).toMatchObject({ state: 'stopped', data: { installationId: 'byogit', type: 'bitbucket' } });
    expect(await run()).not.toHaveProperty('error');
    started().set({ hlxignoreRefused: true });
    expect(await run()).toMatchObject({ error: 'Unable to fetch hlxignore: 401' });
    started().set({ syncsExternal: false });
    expect((await sync('external')).status).toBe(403);
  });

  it('reports a missing site before it checks credentials', async () => {
    expect(await anonymous()('GET', `/status/${org}/nowhere/main`)).toMatchObject({
      status: 404,
      error: `[admin] no such site: ${org}/nowhere`,
    });
  });

  it('logs the author of a change, but not its content', async () => {
    await create('logged');
    await admin()('POST', sitePath('logged', 'public'), { secretive: true });
    await admin()('POST', sitePath('logged', 'public'), { secretive: false });
    const path = `/log/${org}/logged/main`;
    const log = await admin()('GET', path);
    expect(log.json).toMatchObject({
      from: expect.any(String),
      entries: [{ method: 'PUT', status: 201 }, { method: 'POST', route: 'config', user: EXAMPLE.admin, status: 200, site: 'logged' }, {}],
    });
    expect(log.text).not.toContain('secretive');
    const page = (await admin()('GET', `${path}?since=2h&limit=2`)).json as { entries: unknown[]; nextToken: string };
    expect(page.entries).toHaveLength(2);
    const rest = (await admin()('GET', `${path}?since=2h&limit=2&nextToken=${page.nextToken}`)).json as object;
    expect(rest).toMatchObject({ entries: [{ method: 'POST' }] });
    expect(rest).not.toHaveProperty('nextToken');
    expect((await admin()('GET', `${path}?to=2020-01-01T00:00:00Z`)).json).toMatchObject({ entries: [] });
    expect((await admin()('POST', path, { entries: [{ route: 'own' }] })).status).toBe(201);
    expect((await anonymous()('GET', path)).status).toBe(401);
    expect((await as(EXAMPLE.publisher)('GET', path)).status).toBe(200);
  });

  it('serves public configuration at both hosts, unless a file of code or content replaces it', async () => {
    await create('delivered', { public: { version: 'first' } });
    const both = () =>
      Promise.all(
        (['preview', 'live'] as const).map((tier) =>
          delivery(tier, 'delivered')('GET', '/config.json', undefined, { origin: 'https://any.example.com' }),
        ),
      );
    for (const answer of await both()) {
      expect(answer).toMatchObject({ status: 200, json: { public: { version: 'first' } } });
      expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
    }
    started().set({ codeFiles: { 'wknd/wknd': { '/config.json': '{"from":"code"}', '/component-models.json': '[]' } } });
    expect((await both()).map(({ json }) => json)).toEqual([{ from: 'code' }, { from: 'code' }]);
    expect((await delivery('live', 'delivered')('GET', '/component-models.json')).text).toBe('[]');
    started().set({ contentFiles: { [`${org}/delivered`]: { '/config.json': '{"from":"content"}' } } });
    expect((await both()).map(({ json }) => json)).toEqual([{ from: 'content' }, { from: 'content' }]);
    expect((await delivery('live', 'nowhere')('GET', '/config.json')).status).toBe(404);
  });

  it('serves the previous body until the new one has arrived', async () => {
    const served = async () => (await delivery('live', 'propagated')('GET', '/config.json')).json;
    started().set({ configDelayMs: 3_600_000 });
    await create('propagated', { public: { version: 'first' } });
    expect(await served()).toBeUndefined();
    started().set({ configDelayMs: 0 });
    await admin()('POST', sitePath('propagated', 'public'), { version: 'second' });
    started().set({ configDelayMs: 3_600_000 });
    await admin()('POST', sitePath('propagated', 'public'), { version: 'third' });
    expect(await served()).toEqual({ public: { version: 'second' } });
    started().set({ configDelayMs: 100 });
    await admin()('POST', sitePath('propagated', 'public'), { version: 'fourth' });
    await expect.poll(served, { timeout: 10_000 }).toEqual({ public: { version: 'fourth' } });
  });

  it('guards the hosts of a site as access.site says', async () => {
    await create('guarded');
    const { id, value } = (await admin()('POST', sitePath('guarded', 'secrets'), {})).json as { id: string; value: string };
    await admin()('POST', sitePath('guarded', 'access/site'), { allow: ['*@example.com'], secretId: [id] });
    const config = (token?: string) =>
      delivery('live', 'guarded')('GET', '/config.json', undefined, token === undefined ? {} : { authorization: `token ${token}` });
    expect((await config()).status).toBe(401);
    expect((await config('hlx_other')).status).toBe(401);
    expect((await config(started().token('session', { email: EXAMPLE.admin }))).status).toBe(401);
    expect((await config(value)).status).toBe(200);
    const exchanged = await anonymous()('POST', '/auth/adobe/exchange', { org, site: 'guarded', accessToken: started().token('ims') });
    const { siteToken } = exchanged.json as { siteToken: string };
    expect((await config(siteToken)).status).toBe(200);
    expect((await anonymous()('GET', sitePath('guarded'), undefined, { authorization: `token ${siteToken}` })).status).toBe(401);
    expect((await anonymous()('POST', '/auth/adobe/exchange', { org, site: 'neighbours', accessToken: 'x' })).json).toEqual({});
  });

  it('announces its successor for upgraded sites', async () => {
    const announced = async (site: string) => {
      const ping = await anonymous()('GET', `/ping/${org}/${site}`);
      const read = await admin()('GET', sitePath(site));
      return [ping.status, ping.headers['x-api-upgrade-available'], read.headers['link']];
    };
    expect(await announced('neighbours')).toEqual([200, undefined, undefined]);
    expect(await announced('unknown')).toEqual([200, undefined, undefined]);
    started().set({ upgraded: [`${org}/neigh`] });
    expect(await announced('neighbours')).toEqual([200, undefined, undefined]);
    started().set({ upgraded: [`${org}/neighbours`] });
    expect(await announced('neighbours')).toEqual([200, 'true', `<${started().successor}/>; rel="successor-version"`]);
    expect((await admin()('GET', `/sidekick/${org}/neighbours/main/config.json`)).headers['x-api-upgrade-available']).toBe('true');
  });

  it('answers the same at the successor’s addresses', async () => {
    const next = asker(started().successor, { 'x-auth-token': started().token('session', { email: EXAMPLE.admin }) });
    const base = `/${org}/sites/next`;
    expect((await next('PUT', `${base}/config.json`, { ...exampleSite('next'), ...ownCode('next') })).status).toBe(201);
    const addresses = [
      [`/${org}/config.json`, `/config/${org}.json`],
      [`/${org}/config/users`, `/config/${org}/users.json`],
      [`/${org}/sites?details=true`, `/config/${org}/sites.json?details=true`],
      [`/${org}/profiles`, `/config/${org}/profiles.json`],
      [`${base}/config.json`, sitePath('next')],
      [`${base}/config/public.json`, sitePath('next', 'public')],
      [`${base}/config/content/source.json`, sitePath('next', 'content/source')],
      [`${base}/config/versions.json`, sitePath('next', 'versions')],
      [`/${org}/aggregated/next/config.json`, `/config/${org}/aggregated/next.json`],
      [`${base}/status/`, `/status/${org}/next/main/`],
    ];
    for (const [successor = '', current = ''] of addresses) {
      const [theirs, ours] = [await next('GET', successor), await admin()('GET', current)];
      expect([successor, theirs.status, theirs.text]).toEqual([successor, 200, ours.text]);
    }
    expect((await next('GET', `/profile?org=${org}&site=next`)).json).toMatchObject({ profile: { email: EXAMPLE.admin } });
    const queued = await next('POST', `/${org}/repos/next/code/main/*`);
    expect(queued.status).toBe(202);
    const { name } = (queued.json as { job: { name: string } }).job;
    expect((await next('GET', `${base}/jobs/code/${name}/report`)).json).toMatchObject({ state: 'stopped', data: { phase: 'completed' } });
    expect((await next('GET', `${base}/jobs/code`)).status).toBe(200);
    expect((await next('GET', `${base}/log`)).status).toBe(200);
    expect((await next('PUT', `${base}/config/query.yaml`, 'version: 1', { 'content-type': 'text/yaml' })).status).toBe(201);
    expect((await next('POST', `${base}/config/robots.txt`, 'Allow: /', { 'content-type': 'text/plain' })).status).toBe(200);
    expect((await next('GET', sitePath('next'))).status).toBe(404);
    expect((await asker(started().successor)('GET', `${base}/config.json`)).error).toBe('[AWS] Unauthorized');
    expect((await next('POST', `${base}/config/public.json`, { long: 'x'.repeat(4_800_000) })).status).toBe(413);
    started().set({ successorCreates: false });
    expect((await next('PUT', `/${org}/sites/later/config.json`, exampleSite('later'))).status).toBe(404);
  });
});
