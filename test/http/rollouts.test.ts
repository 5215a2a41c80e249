import { beforeAll, describe, expect, it } from 'vitest';
import { DryRun } from '@repoless/contract/endpoint-parts.ts';
import { EventList } from '@repoless/contract/event.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import { Rollout, RolloutList, RolloutPreview } from '@repoless/contract/rollout.ts';
import { callsAs, OPERATOR, startTestBackend } from '../support/backend.ts';
import { publicPaths } from '../support/builders.ts';
import { rolloutCalls } from './rollout-calls.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

const ALL = '/config/wknd/rollouts.json';
const HEADER = { op: 'add', path: '/headers/~1**', value: { key: 'x-from', value: '{site} {country} {language}' }, by: 'key' };

const backend = startBeforeAll(() => startTestBackend({ orgs: ['wknd', 'acme'] }));
const { call, done } = callsAs(backend, OPERATOR);

const calls = rolloutCalls(backend);
const { siteOf, start, get, rested, ordered, rows } = calls;
const register = (site: string, root: string, more: object = {}) => calls.register(site, { public: publicPaths(root), ...more });

async function preview(body: object): Promise<RolloutPreview> {
  const dryRun = await done('POST', `${ALL}?dryRun=true`, body);
  return RolloutPreview.parse(Rollout.parse(DryRun.parse(dryRun.json()).result).preview);
}

/** Its events, newest first. */
async function eventsOf(id: string) {
  const { events } = EventList.parse((await call('GET', '/config/wknd/events.json')).json());
  return events
    .filter(({ kind, cause }) => kind === 'rollout-stopped' && cause === `rollout:${id}`)
    .map(({ phase, open, about }) => [phase, open, about]);
}

describe('a reviewed preview', () => {
  const edits = [{ op: 'add', path: '/headers/~1**', value: { key: 'x-frame-options', value: 'DENY' }, by: 'key' }];
  const header = (value: string) => ({ '/**': [{ key: 'x-frame-options', value }] });
  const change = async (site: string, part: string, body: object): Promise<void> =>
    expect((await call('POST', `/config/wknd/sites/${site}/${part}.json`, body)).status).toBe(200);
  const reviewedOf = ({ sites }: RolloutPreview) => Object.fromEntries(sites.map(({ name, version }) => [name, version]));

  it('limits the rollout to what was shown: a site that was changed since is refused, with the author and the part', async () => {
    const sites = ['shown-1', 'shown-2', 'shown-3', 'shown-4'];
    for (const site of sites) await register(site, `/content/shown/${site.at(-1)}`);
    const shown = reviewedOf(await preview({ title: 'Frames', edits, sites }));
    expect(shown).toEqual({ 'shown-1': 1, 'shown-2': 1, 'shown-3': 1, 'shown-4': 1 });
    await change('shown-2', 'headers', header('SAMEORIGIN'));
    await change('shown-3', 'robots', { txt: 'mine' });
    const { 'shown-4': _unseen, ...reviewed } = shown;
    const id = await start({ title: 'Frames', edits, sites, reviewed });
    expect((await rested(id)).sites).toEqual({ changed: 2, refused: 2 });
    expect(await rows(id, '?state=refused')).toMatchObject([
      {
        name: 'shown-2',
        code: 'PRECONDITION_FAILED',
        detail: `${OPERATOR} has since changed headers of this site (version 2), so the site was not changed.`,
        data: { parts: 'headers', versions: '2', users: OPERATOR },
      },
      { name: 'shown-4', code: 'PRECONDITION_FAILED' },
    ]);
    expect(await siteOf('shown-2')).toMatchObject({ headers: header('SAMEORIGIN') });
    expect(await siteOf('shown-3')).toMatchObject({ headers: header('DENY'), robots: { txt: 'mine' } });
  });

  it('limits the rollout of a profile too, which stops before all sites get it', async () => {
    const address = '/config/wknd/profiles/shown.json';
    expect((await call('PUT', address, { headers: header('SAMEORIGIN') })).status).toBe(201);
    const extending = { extends: { profile: 'shown' } };
    await register('of-shown-1', '/content/of/shown/1', extending);
    await register('of-shown-2', '/content/of/shown/2', { ...extending, headers: header('ALLOW') });
    const body = { title: 'Frames', profile: 'shown', config: { headers: header('DENY') } };
    const first = await preview(body);
    expect(first.sites).toMatchObject([
      { name: 'of-shown-1', state: 'changed' },
      { name: 'of-shown-2', state: 'unchanged' },
    ]);
    // Without its own value, the site gets the profile's.
    await change('of-shown-2', 'headers', {});
    const id = await start({ ...body, reviewed: reviewedOf(first) });
    expect(await rested(id)).toMatchObject({
      state: 'stopped',
      stopped: {
        reason: 'blocked',
        detail: expect.stringMatching(/^of-shown-2: .* has since changed headers of this site \(version 2\)/),
        site: 'of-shown-2',
        problem: { code: 'PRECONDITION_FAILED', data: { parts: 'headers', versions: '2', users: OPERATOR } },
      },
      sites: { waiting: 2 },
    });
    expect((await call('GET', address)).json()).toMatchObject({ headers: header('SAMEORIGIN') });
    await ordered(id, 'undo');
    await rested(id);
    const again = await start({ ...body, reviewed: reviewedOf(await preview(body)) });
    expect(await rested(again)).toMatchObject({ state: 'done', sites: { changed: 2 } });
  });
});

describe('the consequences of a rollout for people', () => {
  const ACCOUNT = 'p100-e200@techacct.example.com';
  const access = { admin: { role: { admin: [OPERATOR, 'ben@example.com'], config_admin: [ACCOUNT] } } };
  beforeAll(async () => {
    await register('people-1', '/content/people/1', { access });
    await register('people-2', '/content/people/2', { access });
    await register('people-3', '/content/people/3');
  });

  it('are reported for edits, with the sites concerned', async () => {
    const sites = ['people-1', 'people-2', 'people-3'];
    const edits = [{ op: 'remove', path: '/access/admin/role/config_admin', value: ACCOUNT }];
    expect((await preview({ title: 'No accounts', edits, sites })).consequences).toEqual([
      { what: { kind: 'account-removed', account: ACCOUNT }, grave: true, sites: ['people-1', 'people-2'] },
    ]);
    const opened = [{ op: 'set', path: '/access/admin/requireAuth', value: false }];
    expect((await preview({ title: 'Open', edits: opened, sites })).consequences).toEqual([{ what: { kind: 'open' }, grave: true, sites }]);
    const robots = [{ op: 'set', path: '/robots/txt', value: 'x' }];
    expect((await preview({ title: 'Robots', edits: robots, sites })).consequences).toEqual([]);
  });

  it('are reported for a profile, by a rollout and by a dry run of the profile', async () => {
    const address = '/config/wknd/profiles/people.json';
    const config = { access: { live: { allow: ['*@example.com'] } } };
    expect((await call('PUT', address, config)).status).toBe(201);
    await register('people-4', '/content/people/4', { extends: { profile: 'people' } });
    const opened = [{ what: { kind: 'host-open', host: 'live' }, grave: true, sites: ['people-4'] }];
    expect((await preview({ title: 'Open', profile: 'people', config: { robots: { txt: 'x' } } })).consequences).toEqual(opened);
    const dryRun = await call('PUT', `${address}?dryRun=true&replace=true`, { robots: { txt: 'x' } });
    expect(DryRun.parse(dryRun.json()).consequences).toEqual(opened);
  });

  it('are reported for a dry run of an undo', async () => {
    const edits = [{ op: 'remove', path: '/access/admin/role/admin', value: 'ben@example.com' }];
    const id = await start({ title: 'Without Ben', edits, sites: ['people-1', 'people-2', 'people-3'] });
    await rested(id);
    await call('POST', '/config/wknd/sites/people-2/access/admin.json', { role: { admin: [OPERATOR], view: ['cleo@example.com'] } });
    const dryRun = await call('POST', `/config/wknd/rollouts/${id}/undo.json?dryRun=true`);
    const found = RolloutPreview.parse(Rollout.parse(DryRun.parse(dryRun.json()).result).preview);
    expect(found.consequences).toEqual([
      { what: { kind: 'people-gained', role: 'admin', people: ['ben@example.com'] }, grave: false, sites: ['people-1'] },
    ]);
    expect(found.sites.map(({ name, state }) => [name, state])).toEqual([
      ['people-1', 'changed'],
      ['people-2', 'refused'],
    ]);
    expect(await get(id)).toMatchObject({ state: 'done' });
  });

  it('are reported for the removal of a site', async () => {
    const dryRun = await call('DELETE', '/config/wknd/sites/people-1.json?dryRun=true');
    expect(DryRun.parse(dryRun.json()).consequences).toEqual([{ what: { kind: 'stops' }, grave: true, sites: [] }]);
  });
});

describe('edits of many sites', () => {
  beforeAll(async () => {
    await register('ch-de', '/content/wknd/ch/de');
    await register('ch-fr', '/content/wknd/ch/fr', { headers: { '/**': [{ key: 'X-From', value: 'old' }] } });
    await register('at', '/content/wknd/de-at', { robots: { txt: 'x' } });
    await register('plain', '/content/wknd/plain');
  });

  it('are previewed for every site, by kind', async () => {
    const sites = ['ch-de', 'ch-fr', 'at', 'plain', 'gone'];
    const found = await preview({ title: 'Say where from', edits: [HEADER], sites, waves: [1, '50%', '100%'] });
    expect(found.sites.map(({ name, state, wave, kind }) => [name, state, wave, kind])).toEqual([
      ['ch-de', 'changed', 1, 0],
      ['ch-fr', 'changed', 2, 1],
      ['at', 'changed', 2, 0],
      ['plain', 'refused', 3, undefined],
      ['gone', 'refused', 3, undefined],
    ]);
    const replaced = [
      { op: 'replace', path: '/headers/~1**/0/key', value: 'x-from' },
      { op: 'replace', path: '/headers/~1**/0/value', value: 'ch-fr ch fr' },
    ];
    expect(found.kinds).toEqual([
      { count: 2, example: 'ch-de', diff: [{ op: 'add', path: '/headers', value: { '/**': [{ key: 'x-from', value: 'ch-de ch de' }] } }] },
      { count: 1, example: 'ch-fr', diff: replaced },
    ]);
    const unfit = '{country} has no value: the content root /content/wknd/plain does not end with a country and a language, like /ch/de.';
    expect(found.sites.slice(3).map(({ code, detail, errors, data }) => [code, detail, errors ?? data])).toEqual([
      ['BODY_INVALID', unfit, [{ pointer: '/edits', detail: unfit, rule: 'editNoValue', data: { variable: '{country}' } }]],
      ['SITE_NOT_FOUND', expect.stringContaining('wknd/gone'), { org: 'wknd', site: 'gone' }],
    ]);
    expect(await siteOf('ch-de')).not.toHaveProperty('headers');
  });

  it('change each site once, report refusals, and can all be undone', async () => {
    const before = await siteOf('ch-fr');
    const id = await start({ title: 'Say where from', edits: [HEADER], sites: ['ch-de', 'ch-fr', 'at', 'plain'] });
    const done = await rested(id);
    expect(done).toMatchObject({ state: 'done', total: 4, sites: { changed: 3, refused: 1 }, worse: 0, startedBy: OPERATOR });
    expect(await siteOf('at')).toMatchObject({ headers: { '/**': [{ key: 'x-from', value: 'at at de' }] }, robots: { txt: 'x' } });
    expect(await siteOf('ch-fr')).toMatchObject({ headers: { '/**': [{ key: 'x-from', value: 'ch-fr ch fr' }] } });
    expect(await rows(id, '?state=refused')).toMatchObject([
      { name: 'plain', code: 'BODY_INVALID', errors: [{ pointer: '/edits', rule: 'editNoValue' }] },
    ]);
    expect(await rows(id, '?limit=2')).toMatchObject([{ name: 'at', from: 1, to: 2 }, { name: 'ch-de' }]);
    await ordered(id, 'undo');
    expect(await rested(id)).toMatchObject({ state: 'undone', sites: { undone: 3, refused: 1 } });
    expect(await siteOf('ch-fr')).toEqual(before);
    const log = await call('GET', '/config/wknd/log.json');
    for (const action of ['start-rollout', 'undo-rollout', 'rollout']) expect(log.text).toContain(`"${action}/${id}"`);
  });

  it('stop after the first wave if they remove a technical account that a check found', async () => {
    const [account, role] = ['f2b1c0@techacct.example.com', '/access/admin/role/config_admin'];
    const sites = ['t-1', 't-2', 't-3'];
    for (const site of sites) await register(site, `/content/${site}`, { access: { admin: { role: { config_admin: [account] } } } });
    const environment = { author: 'https://author-p1-e2.example.com', technicalAccount: account };
    const seen = { version: 1, switched: true, drifts: [], findings: [], environment };
    expect((await call('PUT', '/config/wknd/sites/t-1/checks.json', seen)).status).toBe(200);
    const id = await start({ title: 'Tidy', edits: [{ op: 'remove', path: role, value: account }], sites, waves: [1, '100%'] });
    expect(await rested(id)).toMatchObject({ state: 'stopped', stopped: { reason: 'worse' }, sites: { changed: 1, waiting: 2 }, worse: 1 });
    expect(await rows(id, '?worse=true')).toMatchObject([{ worse: ['technical-account-listed'] }]);
    await ordered(id, 'undo');
    expect(await rested(id)).toMatchObject({ state: 'undone', sites: { undone: 1 } });
  });

  it('are not undone on a site that was changed since, which is reported', async () => {
    const id = await start({
      title: 'Robots',
      edits: [{ op: 'set', path: '/robots/txt', value: 'none of {site}' }],
      sites: ['at', 'plain'],
    });
    await rested(id);
    await call('POST', '/config/wknd/sites/at/robots.txt', 'mine', { 'content-type': 'text/plain' });
    // A change to another part does not exclude the site.
    await call('POST', '/config/wknd/sites/plain/headers.json', { '/a': [{ key: 'x-a', value: 'b' }] });
    await ordered(id, 'undo');
    expect(await rested(id)).toMatchObject({ state: 'undone', sites: { kept: 1, undone: 1 } });
    expect(await rows(id, '?state=kept')).toMatchObject([
      {
        name: 'at',
        detail: expect.stringContaining(`${OPERATOR} has since changed robots of this site (version`),
        data: { parts: 'robots', users: OPERATOR },
      },
    ]);
    expect(await siteOf('at')).toMatchObject({ robots: { txt: 'mine' } });
    const plain = await siteOf('plain');
    expect(plain).toMatchObject({ headers: { '/a': [{ key: 'x-a' }] } });
    expect(plain).not.toHaveProperty('robots');
  });

  it('copy a list from the profile before they add to it', async () => {
    const admins = { access: { admin: { role: { admin: [OPERATOR, 'team@example.com'] } } } };
    await call('PUT', '/config/wknd/profiles/team.json', admins);
    await register('team', '/content/wknd/team', { extends: { profile: 'team' } });
    const edits = [{ op: 'add', path: '/access/admin/role/admin', value: 'new@example.com' }];
    const id = await start({ title: 'One more', edits, sites: ['team'] });
    await rested(id);
    expect(await siteOf('team')).toMatchObject({
      access: { admin: { role: { admin: [OPERATOR, 'team@example.com', 'new@example.com'] } } },
    });
    const again = await start({ title: 'One more', edits, sites: ['team'] });
    expect(await rested(again)).toMatchObject({ sites: { unchanged: 1 } });
  });

  it('stop after a wave with refused sites, continue on request, and retry those', async () => {
    const edits = [{ op: 'set', path: '/headers', value: { '/**': [{ key: 'x-language', value: '{language}' }] } }];
    const id = await start({ title: 'Language', edits, sites: ['plain', 'ch-de', 'ch-fr'], waves: [1, '100%'] });
    const stopped = await rested(id);
    expect(stopped).toMatchObject({ state: 'stopped', stopped: { reason: 'refused' }, wave: 2, sites: { refused: 1, waiting: 2 } });
    expect(await eventsOf(id)).toEqual([['began', true, 'Language']]);
    await ordered(id, 'resume');
    expect(await eventsOf(id)).toEqual([
      ['ended', false, 'Language'],
      ['began', false, 'Language'],
    ]);
    expect(await rested(id)).toMatchObject({ state: 'done', wave: 3, sites: { refused: 1, changed: 2 } });
    const paths = { mappings: ['/content/wknd/plain/it/:/'] };
    await call('POST', '/config/wknd/sites/plain/public.json', { paths });
    await ordered(id, 'resume');
    expect(await rested(id)).toMatchObject({ state: 'done', sites: { changed: 3 } });
    expect((await call('POST', `/config/wknd/rollouts/${id}/resume.json`)).status).toBe(409);
    expect((await call('POST', `/config/wknd/rollouts/${id}/stop.json`)).status).toBe(409);
  });

  it.each([
    [{ title: 'a', edits: [{ op: 'set', path: '/secrets/x', value: 1 }] }, '/edits/0/path'],
    [{ title: 'a', edits: [{ op: 'set', path: '/headers/__proto__/x', value: 1 }] }, '/edits/0/path'],
    [{ title: 'a', edits: [{ op: 'set', path: 'headers', value: 1 }] }, '/edits/0/path'],
    [{ title: 'a', edits: [{ op: 'add', path: '/headers/~1**', value: { key: 'x-a' } }] }, '/edits/0/value/value'],
    [{ title: 'a', edits: [HEADER, { op: 'set', path: '/robots', value: { txt: 5 } }] }, '/edits/1/value/txt'],
    [{ title: 'a', edits: [HEADER], waves: ['10%'] }, '/waves'],
    [{ title: 'a', edits: [HEADER], profile: 'base', config: {} }, '/edits'],
    [{ title: 'a', profile: 'base' }, '/config'],
    [{ title: '', edits: [HEADER] }, '/title'],
    [{ title: 'a', edits: [HEADER], sites: ['ch-de', 'ch-de'] }, '/sites/1'],
    [{ title: 'a', edits: Array.from({ length: LIMITS.rolloutEdits + 1 }, () => HEADER) }, '/edits'],
  ])('are refused if they are invalid: %j', async (body, pointer) => {
    const answer = await call('POST', ALL, body);
    expect(answer).toMatchObject({ status: 400, code: 'BODY_INVALID' });
    expect(answer.text).toContain(`"pointer": "${pointer}"`);
  });

  it.each([
    [{ op: 'set', path: '/robots/txt' }, '/edits/0/value', 'This is required; write a value of JSON.'],
    [{ path: '/robots/txt', value: 'a' }, '/edits/0/op', 'This is required; write "set" or "add" or "remove".'],
    [{ op: 'put', path: '/robots/txt', value: 'a' }, '/edits/0/op', 'Write "set" or "add" or "remove" here.'],
    ['put', '/edits/0', 'Write an object here.'],
  ])('report the error in the edit %j', async (edit, pointer, detail) => {
    const answer = await call('POST', ALL, { title: 'x', edits: [edit] });
    expect(answer.json()).toMatchObject({
      detail: `The request body is not valid at ${pointer}: ${detail}`,
      errors: [{ pointer, detail }],
    });
  });

  it('report where a profile is invalid', async () => {
    const config = { code: { owner: 'a', repo: 'b', source: { type: 'github', owner: 'c', repo: 'b' } } };
    await call('PUT', '/config/wknd/profiles/wrong.json', {});
    const answer = await call('POST', ALL, { title: 'x', profile: 'wrong', config });
    expect(answer.json()).toMatchObject({ code: 'BODY_INVALID', errors: [{ pointer: '/config/code/source/owner' }] });
  });

  it('belong to one organization', async () => {
    const { rollouts } = RolloutList.parse((await call('GET', ALL)).json());
    const [first] = rollouts;
    const other = await call('GET', `/config/acme/rollouts/${String(first?.id)}.json`);
    expect(other).toMatchObject({ status: 404, code: 'ROLLOUT_NOT_FOUND' });
    expect(RolloutList.parse((await call('GET', '/config/acme/rollouts.json')).json()).rollouts).toEqual([]);
  });
});

describe('a profile that is rolled out', () => {
  const CONFIG = { headers: { '/**': [{ key: 'x-profile', value: 'new' }] } };
  const header = async (site: string) => JSON.stringify((await call('GET', `/config/wknd/aggregated/${site}.json`)).json());

  beforeAll(async () => {
    await call('PUT', '/config/wknd/profiles/brand.json', { headers: { '/**': [{ key: 'x-profile', value: 'old' }] } });
    for (const site of ['b1', 'b2', 'b3', 'b4']) await register(site, `/content/brand/${site}`, { extends: { profile: 'brand' } });
    const own = { '/**': [{ key: 'x-profile', value: 'mine' }] };
    await call('POST', '/config/wknd/sites/b4/headers.json', own);
  });

  it('is previewed for every site that extends it', async () => {
    const found = await preview({ title: 'New', profile: 'brand', config: CONFIG, waves: [1, '100%'] });
    expect(found.sites.map(({ name, state, wave }) => [name, state, wave])).toEqual([
      ['b1', 'changed', 1],
      ['b2', 'changed', 2],
      ['b3', 'changed', 2],
      ['b4', 'unchanged', 2],
    ]);
    expect(found.kinds).toHaveLength(1);
  });

  it('reaches all sites, leaves no temporary profile, and can be undone', async () => {
    await call('POST', '/config/wknd/sites/b2/content.json', {});
    const id = await start({ title: 'New', profile: 'brand', config: CONFIG, waves: [1, '100%'] });
    const done = await rested(id);
    expect(done).toMatchObject({ state: 'done', profile: 'brand', sites: { changed: 4 }, worse: 0 });
    for (const site of ['b1', 'b2', 'b3']) expect(await header(site)).toContain('"value":"new"');
    expect(await header('b4')).toContain('"value":"mine"');
    expect(await siteOf('b1')).toMatchObject({ extends: { profile: 'brand' } });
    expect((await call('GET', '/config/wknd/profiles.json')).text).not.toContain('rollout-');
    expect(await rows(id)).toMatchObject([{ name: 'b1', from: 1, to: 3 }, { name: 'b2' }, { name: 'b3' }, { name: 'b4' }]);
    await ordered(id, 'undo');
    expect(await rested(id)).toMatchObject({ state: 'undone', sites: { undone: 4 } });
    for (const site of ['b1', 'b2', 'b3']) expect(await header(site)).toContain('"value":"old"');
  });

  it('is refused if nothing changes or no site extends it', async () => {
    const body = { title: 'Same', profile: 'brand', config: { headers: { '/**': [{ key: 'x-profile', value: 'old' }] } } };
    expect(await call('POST', ALL, body)).toMatchObject({ status: 409, code: 'ROLLOUT_REFUSED' });
    await call('PUT', '/config/wknd/profiles/lonely.json', {});
    expect((await call('POST', ALL, { ...body, profile: 'lonely' })).text).toContain('No site extends the profile');
  });
});
