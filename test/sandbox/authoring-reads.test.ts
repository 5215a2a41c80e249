import { describe, expect, it } from 'vitest';
import { startAuthor } from './author.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

const ADA = 'ada.admin@example.com';
const EDGE = '/conf/summit/settings/cloudconfigs/edge-delivery-service-configuration';

describe('reading the authoring system', () => {
  const author = startBeforeAll(startAuthor);

  it('gives a resource alone, one level, and as many as are asked for', async () => {
    expect(await author.json('/content/summit.json')).not.toHaveProperty('jcr:content');
    expect(await author.json('/content/summit.1.json')).toHaveProperty(['jcr:content', 'jcr:title'], 'Tarnfell Summit School');
    expect(await author.json('/content/summit.1.json')).not.toHaveProperty(['jcr:content', 'root']);
    expect(await author.json('/content/summit.infinity.json')).toHaveProperty(
      ['jcr:content', 'root', 'section_1', 'hero_0', 'name'],
      'Hero',
    );
  });

  it('knows jcr:content by both of its addresses', async () => {
    const plain = await author.json('/content/summit/jcr:content.json');
    expect(plain).toMatchObject({ 'cq:conf': '/conf/summit', 'jcr:language': 'en' });
    expect(await author.json('/content/summit/_jcr_content.json')).toEqual(plain);
    expect(await author.json('/content/summit/jcr%3Acontent.json')).toEqual(plain);
  });

  it('answers 300 with the addresses that work where there are over 200 resources', async () => {
    const answer = await author.get('/content/wknd.infinity.json', { as: ADA });
    expect(answer.status).toBe(300);
    const alternatives: unknown = JSON.parse(answer.text);
    expect(alternatives).toContain('/content/wknd.1.json');
    expect((await author.get('/content/wknd.1.json', { as: ADA })).status).toBe(200);
  });

  it('shows live copies with their masters', async () => {
    expect(await author.json('/content/wknd/ch/de/jcr:content.1.json')).toMatchObject({
      'jcr:mixinTypes': ['cq:LiveRelationship', 'cq:LiveSync'],
      'cq:LiveSyncConfig': { 'cq:master': '/content/wknd/language-masters/de' },
    });
  });

  it("shows each environment its own content and the technical account as the configuration's own property", async () => {
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
    ['a path that climbs', '/content/%2e%2e/conf.json', { as: ADA }, 400],
    ['a host that is no environment', '/content/summit.json', { as: ADA, environment: 'p9-e9' }, 404],
    ['nobody', '/content/summit.json', {}, 401],
    ['a token that is none', '/content/summit.json', { token: 'abc' }, 401],
    ['a stranger', '/content/summit.json', { as: 'sam.stranger@example.com' }, 403],
    ["the other environment's technical account", '/content/summit.json', { as: 'p100-e300@techacct.example.com' }, 403],
    ['a neighbour who may read', '/content/summit.json', { as: 'nora.neighbour@example.com' }, 200],
  ])('answers %s', async (_who, path, options, status) => {
    expect((await author.get(path, options)).status).toBe(status);
  });

  it('accepts neither a token for another audience nor one that is over', async () => {
    const token = await author.issuer.token(ADA, { audience: 'something-else' });
    expect((await author.get('/content/summit.json', { token })).status).toBe(401);
    const old = await author.issuer.token(ADA, { expires: '1 minute ago' });
    expect((await author.get('/content/summit.json', { token: old })).status).toBe(401);
  });
});
