import { beforeEach, describe, expect, it } from 'vitest';
import { startAuthor } from './author.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

const ADA = 'ada.admin@example.com';
const EDGE = '/conf/summit/settings/cloudconfigs/edge-delivery-service-configuration/jcr:content';
const TEMPLATE = '/libs/core/franklin/templates/configuration';

describe('writing to the authoring system', () => {
  let csrf: string;
  const author = startBeforeAll(startAuthor);
  beforeEach(async () => {
    csrf = await author.csrf(ADA);
  });

  it('sets and removes properties, and keeps them over a restart', async () => {
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

  it('makes what is missing, and removes it whole', async () => {
    const made = await author.post(
      '/conf/willow/settings/cloudconfigs/edge-delivery-service-configuration',
      { './jcr:content/owner': 'wknd' },
      {
        as: ADA,
        csrf,
      },
    );
    expect(made.status).toBe(201);
    expect(made.headers['location']).toBe('/conf/willow/settings/cloudconfigs/edge-delivery-service-configuration');
    expect(made.text).toContain('<div id="Status">201</div>');
    expect(await author.json('/conf/willow.infinity.json')).toHaveProperty(
      ['settings', 'cloudconfigs', 'edge-delivery-service-configuration', 'jcr:content', 'owner'],
      'wknd',
    );
    expect((await author.post('/conf/willow', { ':operation': 'delete' }, { as: ADA, csrf })).status).toBe(200);
    expect((await author.get('/conf/willow.json', { as: ADA })).status).toBe(404);
  });

  it("shows a technical account that is set by hand, and the environment's again when it is removed", async () => {
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

  it('refuses a value that does not fit its type and a node of no registered namespace', async () => {
    const wrong = { './count': 'many', './count@TypeHint': 'Long' } as const;
    expect((await author.post(EDGE, wrong, { as: ADA, csrf })).status).toBe(422);
    expect((await author.post(EDGE, { './mine:own/x': 'x' }, { as: ADA, csrf })).status).toBe(409);
    expect(await author.json(`${EDGE}.1.json`)).not.toHaveProperty(['mine:own']);
  });

  it('asks for the CSRF token of the very person', async () => {
    const nothing = { './projectType': '9' } as const;
    expect((await author.post(EDGE, nothing, { as: ADA })).status).toBe(403);
    expect((await author.post(EDGE, nothing, { as: ADA, csrf: 'made.up' })).status).toBe(403);
    expect((await author.post(EDGE, nothing, { as: ADA, csrf: await author.csrf('carl.config@example.com') })).status).toBe(403);
    expect((await author.post(EDGE, nothing, { csrf })).status).toBe(401);
    expect(await author.json(`${EDGE}.json`)).not.toMatchObject({ projectType: '9' });
  });

  it('lets a reader read alone', async () => {
    const nora = 'nora.neighbour@example.com';
    expect((await author.post(EDGE, { './projectType': '9' }, { as: nora, csrf: await author.csrf(nora) })).status).toBe(422);
    expect(await author.json(`${EDGE}.json`)).not.toMatchObject({ projectType: '9' });
    expect((await author.get(`${EDGE}.json`, { as: nora })).status).toBe(200);
  });

  it('writes under /content and /conf alone', async () => {
    expect((await author.post('/libs/core', { './a': 'b' }, { as: ADA, csrf })).status).toBe(403);
  });

  it('creates a configuration page, and another with a number where the label is taken', async () => {
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
