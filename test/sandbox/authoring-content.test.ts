import { describe, expect, it, beforeEach } from 'vitest';
import { startAuthor, type Fields } from './author.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

const ADA = 'ada.admin@example.com';
const EDGE = '/conf/summit/settings/cloudconfigs/edge-delivery-service-configuration';

describe('reading the authoring system', () => {
  const author = startBeforeAll(startAuthor);

  it('returns a resource by itself, one level, or all levels', async () => {
    expect(await author.json('/content/summit.json')).not.toHaveProperty('jcr:content');
    expect(await author.json('/content/summit.1.json')).toHaveProperty(['jcr:content', 'jcr:title'], 'Tarnfell Summit School');
    expect(await author.json('/content/summit.1.json')).not.toHaveProperty(['jcr:content', 'root']);
    expect(await author.json('/content/summit.infinity.json')).toHaveProperty(
      ['jcr:content', 'root', 'section_1', 'hero_0', 'name'],
      'Hero',
    );
  });

  it('accepts both notations of jcr:content', async () => {
    const plain = await author.json('/content/summit/jcr:content.json');
    expect(plain).toMatchObject({ 'cq:conf': '/conf/summit', 'jcr:language': 'en' });
    expect(await author.json('/content/summit/_jcr_content.json')).toEqual(plain);
    expect(await author.json('/content/summit/jcr%3Acontent.json')).toEqual(plain);
  });

  it('answers 300 with usable addresses for more than 200 resources', async () => {
    const answer = await author.get('/content/wknd.infinity.json', { as: ADA });
    expect(answer.status).toBe(300);
    const alternatives: unknown = JSON.parse(answer.text);
    expect(alternatives).toContain('/content/wknd.1.json');
    expect((await author.get('/content/wknd.1.json', { as: ADA })).status).toBe(200);
  });

  it('returns live copies with their masters', async () => {
    expect(await author.json('/content/wknd/ch/de/jcr:content.1.json')).toMatchObject({
      'jcr:mixinTypes': ['cq:LiveRelationship', 'cq:LiveSync'],
      'cq:LiveSyncConfig': { 'cq:master': '/content/wknd/language-masters/de' },
    });
  });

  it('returns to each environment its own content, and the technical account as a property of the configuration', async () => {
    expect(await author.json(`${EDGE}/jcr:content.json`)).toMatchObject({
      owner: 'wknd',
      repo: 'summit',
      projectType: '1',
      technicalAccountId: 'p100-e200@techacct.example.com',
    });
    expect(await author.json(`${EDGE}/_jcr_content.json`, { as: ADA, environment: 'p100-e300' })).toMatchObject({
      repo: 'summit-prod',
      technicalAccountId: 'p100-e300@techacct.example.com',
    });
  });

  it.each([
    ['a page that does not exist', '/content/nowhere.json', { as: ADA }, 404],
    ['a resource without its extension', '/content/summit', { as: ADA }, 404],
    ['an unknown selector', '/content/summit.feed.json', { as: ADA }, 400],
    ['a path that leaves its tree', '/content/%2e%2e/conf.json', { as: ADA }, 400],
    ['a host without an environment', '/content/summit.json', { as: ADA, environment: 'p9-e9' }, 404],
    ['an anonymous caller', '/content/summit.json', {}, 401],
    ['an invalid token', '/content/summit.json', { token: 'abc' }, 401],
    ['a stranger', '/content/summit.json', { as: 'sam.stranger@example.com' }, 403],
    ["the other environment's technical account", '/content/summit.json', { as: 'p100-e300@techacct.example.com' }, 403],
    ['a reader of another site', '/content/summit.json', { as: 'nora.neighbour@example.com' }, 200],
  ])('answers %s', async (_who, path, options, status) => {
    expect((await author.get(path, options)).status).toBe(status);
  });

  it('refuses a token for another audience, and an expired one', async () => {
    const token = await author.issuer.token(ADA, { audience: 'something-else' });
    expect((await author.get('/content/summit.json', { token })).status).toBe(401);
    const old = await author.issuer.token(ADA, { expires: '1 minute ago' });
    expect((await author.get('/content/summit.json', { token: old })).status).toBe(401);
  });
});
describe('writing to the authoring system', () => {
  const EDGE = '/conf/summit/settings/cloudconfigs/edge-delivery-service-configuration/jcr:content';
  const TEMPLATE = '/libs/core/franklin/templates/configuration';

  let csrf: string;
  const author = startBeforeAll(startAuthor);
  beforeEach(async () => {
    csrf = await author.csrf(ADA);
  });

  it('sets and removes properties, which survive a restart', async () => {
    const changed = await author.post(
      EDGE.replace('jcr:content', '_jcr_content'),
      { './projectType': '4', './previous': 'kept', './flags': ['a', 'b'], './count': '3', './count@TypeHint': 'Long' },
      { as: ADA, csrf, accept: 'application/json' },
    );
    expect(changed.status).toBe(200);
    expect(JSON.parse(changed.text)).toMatchObject({ 'status.code': 200, 'status.message': 'OK' });
    await author.restart();
    expect(await author.json(`${EDGE}.json`)).toMatchObject({
      projectType: '4',
      previous: 'kept',
      flags: ['a', 'b'],
      count: 3,
      owner: 'wknd',
    });
    await author.post(EDGE, { './previous@Delete': '' }, { as: ADA, csrf: await author.csrf(ADA) });
    expect(await author.json(`${EDGE}.json`)).not.toHaveProperty('previous');
  });

  it('creates missing nodes, and removes entire trees', async () => {
    const created = await author.post(
      '/conf/willow/settings/cloudconfigs/edge-delivery-service-configuration',
      { './jcr:content/owner': 'wknd' },
      {
        as: ADA,
        csrf,
      },
    );
    expect(created.status).toBe(201);
    expect(created.headers['location']).toBe('/conf/willow/settings/cloudconfigs/edge-delivery-service-configuration');
    expect(created.text).toContain('<div id="Status">201</div>');
    expect(await author.json('/conf/willow.infinity.json')).toHaveProperty(
      ['settings', 'cloudconfigs', 'edge-delivery-service-configuration', 'jcr:content', 'owner'],
      'wknd',
    );
    expect((await author.post('/conf/willow', { ':operation': 'delete' }, { as: ADA, csrf })).status).toBe(200);
    expect((await author.get('/conf/willow.json', { as: ADA })).status).toBe(404);
  });

  it('shows a technical account that is set manually, and the environment’s after its removal', async () => {
    const set = await author.post(EDGE, { './technicalAccountId': 'mine@example.com' }, { as: ADA, csrf });
    expect(set.status).toBe(200);
    expect(await author.json(`${EDGE}.json`)).toMatchObject({ repo: 'summit', technicalAccountId: 'mine@example.com' });
    expect((await author.get('/bin/franklin.delivery/wknd/summit/main/.helix/config.json', { as: ADA })).text).toContain(
      'mine@example.com',
    );
    const removed = await author.post(EDGE, { './technicalAccountId@Delete': 'true' }, { as: ADA, csrf });
    expect(removed.status).toBe(200);
    expect(await author.json(`${EDGE}.json`)).toMatchObject({ technicalAccountId: 'p100-e200@techacct.example.com' });
  });

  it('refuses a value that does not match its type, and a node of an unregistered namespace', async () => {
    const wrong = { './count': 'many', './count@TypeHint': 'Long' } as const;
    expect((await author.post(EDGE, wrong, { as: ADA, csrf })).status).toBe(422);
    expect((await author.post(EDGE, { './mine:own/x': 'x' }, { as: ADA, csrf })).status).toBe(409);
    expect(await author.json(`${EDGE}.1.json`)).not.toHaveProperty(['mine:own']);
  });

  it('requires the CSRF token of the same person', async () => {
    const nothing = { './projectType': '9' } as const;
    expect((await author.post(EDGE, nothing, { as: ADA })).status).toBe(403);
    expect((await author.post(EDGE, nothing, { as: ADA, csrf: 'made.up' })).status).toBe(403);
    expect((await author.post(EDGE, nothing, { as: ADA, csrf: await author.csrf('carl.config@example.com') })).status).toBe(403);
    expect((await author.post(EDGE, nothing, { csrf })).status).toBe(401);
    expect(await author.json(`${EDGE}.json`)).not.toMatchObject({ projectType: '9' });
  });

  it('allows a reader only to read', async () => {
    const nora = 'nora.neighbour@example.com';
    expect((await author.post(EDGE, { './projectType': '9' }, { as: nora, csrf: await author.csrf(nora) })).status).toBe(422);
    expect(await author.json(`${EDGE}.json`)).not.toMatchObject({ projectType: '9' });
    expect((await author.get(`${EDGE}.json`, { as: nora })).status).toBe(200);
  });

  it('refuses paths outside /content and /conf', async () => {
    expect((await author.post('/libs/core', { './a': 'b' }, { as: ADA, csrf })).status).toBe(403);
  });

  it('creates a configuration page, and numbers the next one if the label is taken', async () => {
    const create = () =>
      author.post(
        '/bin/wcmcommand',
        { cmd: 'createPage', parentPath: '/content/summit', title: 'Configuration', label: 'configuration', template: TEMPLATE },
        { as: ADA, csrf, accept: 'application/json' },
      );
    expect(JSON.parse((await create()).text)).toMatchObject({ 'status.code': 200, path: '/content/summit/configuration' });
    expect(await author.json('/content/summit/configuration/jcr:content.json')).toMatchObject({
      'sling:resourceType': 'core/franklin/components/spreadsheet/v1/spreadsheet',
      'cq:template': TEMPLATE,
    });
    expect(JSON.parse((await create()).text)).toMatchObject({ path: '/content/summit/configuration0' });
  });

  it.each([
    ['an unknown template', { template: '/apps/none' }, 'Template not found'],
    ['a parent that does not exist', { parentPath: '/content/nowhere' }, 'Parent page not found'],
    ['another command', { cmd: 'deletePage' }, 'not known'],
  ])('refuses to create a page with %s', async (_what, wrong, sentence) => {
    const fields = { cmd: 'createPage', parentPath: '/content/summit', title: 'X', label: 'x', template: TEMPLATE, ...wrong };
    const answer = await author.post('/bin/wcmcommand', Object.entries(fields), { as: ADA, csrf });
    expect(answer.status).toBe(500);
    expect(answer.text).toContain(sentence);
    expect((await author.get('/content/summit/x.json', { as: ADA })).status).toBe(404);
  });
});

const ENVIRONMENT = 'p100-e200';

/** Only guards of the stand-in; what it shares with Sling is in test/counterparts/sling. */
describe('operations on whole trees of the authoring system', () => {
  const large = Array.from({ length: 10_001 }, (_, index) => node(`/content/large/n${index}`));
  const author = startBeforeAll(() =>
    startAuthor([node('/content'), node('/conf'), node('/conf/kept'), node('/content/small'), node('/content/large'), ...large]),
  );

  const operate = async (path: string, fields: Fields) =>
    (await author.post(path, fields, { as: ADA, csrf: await author.csrf(ADA) })).status;

  it.each([
    ['a copy', { ':operation': 'copy', ':dest': '/content/new' }],
    ['a move', { ':operation': 'move', ':dest': '/content/new' }],
    ['an import', { ':operation': 'import', ':contentType': 'json', ':name': 'new', ':content': '{}' }],
  ] as const)('requires the CSRF token for %s', async (_what, fields) => {
    expect((await author.post('/content/small', fields, { as: ADA })).status).toBe(403);
    expect((await author.get('/content/new.json', { as: ADA })).status).toBe(404);
    expect((await author.get('/content/small/new.json', { as: ADA })).status).toBe(404);
  });

  it.each([
    ['a copy of more than 10,000 resources', '/content/large', { ':operation': 'copy', ':dest': '/content/twice' }],
    ['a move of more than 10,000 resources', '/content/large', { ':operation': 'move', ':dest': '/content/twice' }],
    ['a copy over all configurations', '/content/small', { ':operation': 'copy', ':dest': '/conf', ':replace': 'true' }],
    ['the removal of all configurations', '/content/small', { ':operation': 'delete', ':applyTo': '/conf' }],
    ['an import of more than 50 levels', '/content/small', { ':operation': 'import', ':contentType': 'json', ':content': deep(60) }],
    [
      'an import into another tree',
      '/content/small',
      { ':operation': 'import', ':contentType': 'json', ':content': '{"..":{"twice":{}}}' },
    ],
  ] as const)('refuses %s', async (_what, path, fields) => {
    expect(await operate(path, fields)).toBe(409);
    expect((await author.get('/content/twice.json', { as: ADA })).status).toBe(404);
    expect((await author.get('/conf/kept.json', { as: ADA })).status).toBe(200);
    expect(await author.json('/content/small.1.json')).toEqual({ 'jcr:primaryType': 'nt:unstructured' });
  });

  it('creates nothing outside /content and /conf', async () => {
    expect(await operate('/content/small', { ':operation': 'copy', ':dest': '/libs/' })).toBe(412);
    expect(await operate('/content/small', { ':operation': 'copy', ':dest': '/other' })).toBe(412);
  });
});

function node(path: string) {
  return { environment: ENVIRONMENT, path, properties: { 'jcr:primaryType': 'nt:unstructured' } };
}

function deep(levels: number): string {
  return `${'{"k":'.repeat(levels)}{}${'}'.repeat(levels)}`;
}
