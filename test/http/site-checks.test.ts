import { beforeAll, describe, expect, it } from 'vitest';
import { LIMITS } from '@repoless/contract/limits.ts';
import { OrgChecks, SiteCheck, type SiteCheckInput } from '@repoless/contract/site-check.ts';
import { VersionList } from '@repoless/contract/history.ts';
import { callsAs, OPERATOR } from '../support/backend.ts';
import { startCodeWorld } from '../support/code-world.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

const MANAGER = 'conny.config@example.com';
const AUTHOR = 'ann.author@example.com';

const world = startBeforeAll(() => startCodeWorld({ orgs: ['wknd', 'acme'] }), 60_000);
beforeAll(async () => {
  await world.register('market', whole('market'));
  await world.sync('market');
}, 60_000);

function whole(site: string, more: object = {}): Readonly<Record<string, unknown>> {
  const admin = { role: { admin: [OPERATOR], config_admin: [MANAGER], author: [AUTHOR] } };
  const paths = {
    mappings: [`/content/${site}/:/`, `/content/${site}/configuration:/.helix/config.json`],
    includes: [`/content/${site}/`],
  };
  return { public: { paths }, access: { admin }, ...more };
}

const { read: readAs } = callsAs(world, OPERATOR);
const call = (method: string, path: string, request: { as?: string; body?: unknown } = {}) =>
  world.backend.call(method, path, { as: OPERATOR, ...request });

const list = async (query = '') => OrgChecks.parse(await readAs(`/config/wknd/checks.json${query}`));

/** Checks all sites, and waits for the end. */
async function checkAll(): Promise<OrgChecks> {
  expect((await call('POST', '/config/wknd/checks.json')).status).toBe(202);
  await expect.poll(async () => (await list()).running, { timeout: 20_000 }).toBeUndefined();
  return await list();
}

const read = async (site: string) => SiteCheck.parse(await readAs(`/config/wknd/sites/${site}/checks.json`));

const named = ({ sites }: OrgChecks, site: string) => sites.find(({ name }) => name === site);
const verdictOf = ({ findings }: SiteCheck, check: string) => findings.find((finding) => finding.check === check)?.verdict;

const put = (site: string, body: unknown, as = OPERATOR) => call('PUT', `/config/wknd/sites/${site}/checks.json`, { as, body });

/** The input of a completely checked site without problems. */
async function fine(site: string, more: Partial<SiteCheckInput> = {}): Promise<SiteCheckInput> {
  const version = VersionList.parse((await call('GET', `/config/wknd/sites/${site}/versions.json`)).json()).current ?? 0;
  const checks = [
    'project-type',
    'organization-and-site-name',
    'cloud-configuration-own',
    'content-address-site',
    'mapping-site-root',
  ] as const;
  return { version, switched: true, drifts: [], findings: checks.map((check) => ({ check, verdict: 'fine', data: { site } })), ...more };
}

describe('the list of checks', () => {
  it('has the state of a site that was never checked', async () => {
    await world.register('bare');
    const found = await list();
    expect(named(found, 'bare')).toEqual({
      name: 'bare',
      state: 'not-set-up',
      isOutdated: false,
      problems: [],
      differs: [],
      unseen: 0,
    });
    expect(found.counts).toMatchObject({ sites: found.sites.length });
    expect(found.days).toHaveLength(7);
    expect(found.days.at(-1)).toMatchObject({ syncs: 1, failedSyncs: 0 });
    expect(found.days.at(-1)?.changes).toBeGreaterThan(1);
  });

  it('has the findings of the service’s own check', async () => {
    const found = await checkAll();
    expect(named(found, 'market')).toMatchObject({ state: 'changed', isOutdated: false, problems: [] });
    const check = await read('market');
    expect(check.service).toMatchObject({ by: 'service', version: 1 });
    expect(
      ['config-preview', 'config-live', 'editor-files', 'code-sync-fresh', 'mapping-site-root'].map((id) => verdictOf(check, id)),
    ).toEqual(Array(5).fill('fine'));
    expect(['project-type', 'delivery-answers', 'technical-account-listed'].map((id) => verdictOf(check, id))).toEqual(
      Array(3).fill('unknown'),
    );
    expect(found.counts.states).toMatchObject({ changed: 1 });
  });

  it('counts at most LIMITS.countedChanges changes', async () => {
    const { store } = world.backend;
    const entry = { org: 'acme', time: new Date(), user: OPERATOR, action: 'put-site', requestId: 'r1' };
    await store.write(async (writes) => {
      for (let added = 0; added <= LIMITS.countedChanges; added += 1) await writes.addAudit(entry);
    });
    const found = OrgChecks.parse((await call('GET', '/config/acme/checks.json')).json());
    expect(found.days.at(-1)?.changes).toBe(LIMITS.countedChanges);
  });

  it('has pages, with a link to the next', async () => {
    const first = await call('GET', '/config/wknd/checks.json?limit=1');
    const [, next = ''] = /^<(.*)>; rel="next"$/.exec(String(first.headers['link'])) ?? [];
    const names = [first, await call('GET', next)].flatMap((one) => OrgChecks.parse(one.json()).sites.map(({ name }) => name));
    expect(names).toEqual((await list()).sites.map(({ name }) => name).slice(0, 2));
    expect((await call('GET', '/config/wknd/checks.json?limit=0')).status).toBe(400);
  });

  it('counts all sites with the first page, and repeats the counts on later pages', async () => {
    const { counts } = await list('?limit=1');
    await world.register('counted-once');
    expect((await list('?limit=1&after=bare')).counts).toEqual(counts);
    expect((await list('?limit=1')).counts.sites).toBe(counts.sites + 1);
    expect((await list('?limit=1&after=bare')).counts.sites).toBe(counts.sites + 1);
  });

  it('shows nothing of other organizations, and nothing to people without a role', async () => {
    expect((await call('GET', '/config/acme/checks.json')).json()).toMatchObject({ counts: { sites: 0 }, sites: [] });
    expect((await call('GET', '/config/wknd/checks.json', { as: 'stranger@example.com' })).status).toBe(404);
    expect((await call('POST', '/config/wknd/checks.json', { as: 'stranger@example.com' })).status).toBe(404);
    expect((await call('GET', '/config/wknd/sites/market/checks.json', { as: AUTHOR })).status).toBe(403);
  });
});

describe('a site', () => {
  it('is faulty while a file of the editor is missing, and fine after it is added', async () => {
    await world.clone.push({ 'head.html': undefined });
    await world.sync('market');
    const broken = await checkAll();
    expect(named(broken, 'market')).toMatchObject({ state: 'faulty', problems: [{ check: 'editor-files', verdict: 'wrong' }] });
    expect(broken.counts.states).toMatchObject({ faulty: 1 });
    await world.clone.push({ 'head.html': '<meta name="viewport" content="width=device-width">' });
    await world.sync('market');
    expect(named(await checkAll(), 'market')).toMatchObject({ state: 'changed', problems: [] });
  });
});

describe('the findings of a person who can read the authoring system', () => {
  it('are stored alongside those of the service, with the person’s name', async () => {
    const { status, json, text } = await put('market', await fine('market'), MANAGER);
    expect(status, text).toBe(200);
    const kept = SiteCheck.parse(json());
    expect(kept).toMatchObject({
      state: 'in-order',
      isOutdated: false,
      authoring: { by: MANAGER, switched: true },
      service: { by: 'service' },
    });
    expect(verdictOf(kept, 'project-type')).toBe('fine');
    expect(verdictOf(kept, 'editor-files')).toBe('fine');
    expect(named(await list(), 'market')).toMatchObject({ state: 'in-order', authoring: { by: MANAGER } });
  });

  it('are outdated, but retained, once the site is changed', async () => {
    const body = await fine('market');
    const more = whole('market', { robots: { txt: 'User-agent: *' } });
    expect((await call('PUT', '/config/wknd/sites/market.json', { body: { version: 1, ...more } })).status).toBe(200);
    expect(await read('market')).toMatchObject({ isOutdated: true, state: 'changed' });
    expect(SiteCheck.parse((await put('market', body)).json())).toMatchObject({ isOutdated: true, authoring: { version: body.version } });
    await put('market', await fine('market'));
    expect(named(await checkAll(), 'market')).toMatchObject({ isOutdated: false });
  });

  it('stay wrong if the service cannot check them', async () => {
    const body = await fine('market');
    const findings = body.findings.map((one) => (one.check === 'mapping-site-root' ? { ...one, verdict: 'wrong' as const } : one));
    await put('market', { ...body, findings });
    expect(named(await checkAll(), 'market')).toMatchObject({
      state: 'faulty',
      problems: [{ check: 'mapping-site-root', verdict: 'wrong' }],
    });
    await put('market', body);
    expect(await read('market')).toMatchObject({ state: 'in-order' });
  });

  it('name the fields in which the authoring system differs', async () => {
    const drifts = [{ field: 'siteName' as const, authoring: 'other', service: 'market' }];
    await put('market', await fine('market', { drifts }));
    expect(named(await list(), 'market')).toMatchObject({ state: 'differs', differs: ['siteName'] });
    await put('market', await fine('market'));
  });

  it('leave neither a version nor an entry in the audit trail', async () => {
    const before = await call('GET', '/config/wknd/sites/market/versions.json');
    const body = await fine('market');
    const log = async () => (await call('GET', '/config/wknd/log.json')).text;
    const trail = await log();
    await put('market', body);
    expect((await call('GET', '/config/wknd/sites/market/versions.json')).text).toBe(before.text);
    expect(await log()).toBe(trail);
  });

  it('are refused if they are invalid, too long, or not permitted', async () => {
    const body = await fine('market');
    const [first] = body.findings;
    const refused = async (sent: unknown) => {
      const { status, json } = await put('market', sent);
      return [status, Object(json()).code];
    };
    expect(await refused({ ...body, findings: [first, first] })).toEqual([400, 'BODY_INVALID']);
    expect(await refused({ ...body, version: body.version + 1 })).toEqual([400, 'BODY_INVALID']);
    expect(await refused({ ...body, findings: [{ ...first, check: 'weather' }] })).toEqual([400, 'BODY_INVALID']);
    expect(await refused({ ...body, more: true })).toEqual([400, 'BODY_INVALID']);
    const data = Object.fromEntries(
      Array.from({ length: LIMITS.storedFindings / 2000 + 1 }, (_, index) => [`part-${index}`, 'x'.repeat(2000)]),
    );
    expect(await refused({ ...body, findings: [{ ...first, data }] })).toEqual([400, 'BODY_INVALID']);
    expect((await put('market', body, AUTHOR)).status).toBe(403);
    expect((await put('nowhere', body)).status).toBe(404);
  });

  it('are removed with the site, and the next site of that name has none', async () => {
    await world.register('passing', whole('passing'));
    await put('passing', await fine('passing'));
    expect((await call('DELETE', '/config/wknd/sites/passing.json')).status).toBe(204);
    await world.register('passing', whole('passing'));
    expect(await read('passing')).toEqual({ state: 'changed', isOutdated: false, findings: [] });
    expect(named(await list(), 'passing')).toMatchObject({ state: 'changed' });
  });
});

describe('the technical account of an environment', () => {
  const OWN = 'f2b1c0@techacct.example.com';
  const verdict = async (site: string) => verdictOf(await read(site), 'technical-account-listed');
  const registered = async (site: string) => {
    const admin = { role: { admin: [OPERATOR], config_admin: [MANAGER, OWN] } };
    await world.register(site, whole(site, { access: { admin } }));
    const { content } = Object((await call('GET', `/config/wknd/sites/${site}.json`)).json());
    return new URL(content.source.url).origin;
  };

  it('only applies to the site for which it was found', async () => {
    const author = await registered('first');
    await registered('second');
    const other = await fine('first', { environment: { author, technicalAccount: 'nobody@techacct.example.com' } });
    expect((await put('first', other, MANAGER)).status).toBe(200);
    await checkAll();
    expect(await verdict('first')).toBe('wrong');
    expect(await verdict('second')).toBe('unknown');
    const right = await fine('second', { environment: { author, technicalAccount: OWN } });
    expect((await put('second', right)).status).toBe(200);
    await checkAll();
    expect(await verdict('second')).toBe('fine');
    expect((await put('first', other, MANAGER)).status).toBe(200);
    await checkAll();
    expect(await verdict('second')).toBe('fine');
  });
});

describe('code that is behind its branch', () => {
  it('is reported while the same commit is served, and no longer with another', async () => {
    await world.register('behind', whole('behind'));
    const { data: { sha: commit = '' } = {} } = await world.sync('behind');
    const found = {
      check: 'code-sync-fresh',
      verdict: 'warning',
      variant: 'behind',
      data: { site: 'behind', commit, head: '1'.repeat(40) },
    } as const;
    const input = await fine('behind');
    expect((await put('behind', { ...input, findings: [...input.findings, found] })).status).toBe(200);
    expect(named(await checkAll(), 'behind')?.problems).toContainEqual({ check: 'code-sync-fresh', verdict: 'warning', variant: 'behind' });
    await world.clone.push({ 'styles/behind.css': 'a {}\n' });
    await world.sync('behind');
    expect(named(await checkAll(), 'behind')?.problems.map(({ check }) => check)).not.toContain('code-sync-fresh');
  });
});
