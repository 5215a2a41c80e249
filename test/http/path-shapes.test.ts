import { describe, expect, it } from 'vitest';
import { LIMITS } from '@repoless/contract/limits.ts';
import { OPERATOR } from '../support/backend.ts';
import { startBeforeAll } from '../support/start-before-all.ts';
import { SHAPES } from './path-shapes.ts';
import { startPathsWorld } from './paths-world.ts';
const world = startBeforeAll(() => startPathsWorld());

async function put({ paths, source: { suffix, query = '' } = {}, missing = [] }: (typeof SHAPES)[number]): Promise<string | undefined> {
  world.missing.clear();
  for (const path of missing) world.missing.add(path);
  return world.put('park', paths, { url: `${world.address}${query}`, ...(suffix === undefined ? {} : { suffix }) });
}

describe('Paths as projects write them', () => {
  it.each(SHAPES)('$says', async (shape) => {
    const warning = await put(shape);
    if (shape.warns === undefined) expect(warning ?? '').not.toContain('more than once');
    else expect(warning).toMatch(shape.warns);
    for (const [path, content] of Object.entries(shape.served)) {
      const { status, asked } = await world.visit('park', path);
      if (content.length === 0) expect([path, status]).toEqual([path, 404]);
      else expect([path, status, asked]).toEqual([path, 200, content]);
    }
  });

  it('of one public path are tried from the last on, up to a bound', async () => {
    const trees = Array.from({ length: LIMITS.mappingsTried + 1 }, (_, index) => `/content/tree${index}`);
    const put = (missing: readonly string[]) => {
      world.missing.clear();
      for (const tree of missing) world.missing.add(`${tree}/plan.html`);
      return world.put('park', { mappings: trees.map((tree) => `${tree}/:/`) });
    };
    await put(trees.slice(2));
    expect((await world.visit('park', '/plan')).status).toBe(200);
    await put(trees.slice(1));
    const { status, asked } = await world.visit('park', '/plan');
    expect([status, asked.length]).toEqual([404, LIMITS.mappingsTried]);
  });

  it('are warned of by a dry run, too', async () => {
    const paths = { mappings: ['/content/park/:/', '/content/park/en/:/'] };
    const address = '/config/wknd/sites/park/public.json?dryRun=true';
    const answer = await world.backend.call('POST', address, { as: OPERATOR, body: { paths } });
    expect(answer.json()).toMatchObject({ warnings: [expect.stringContaining('is the last and wins over "/content/park/:/"')] });
  });

  it('are not warned of by a call about another part', async () => {
    await world.put('park', { mappings: ['/content/park/:/', '/content/park/en/:/'] });
    const answer = await world.backend.call('POST', '/config/wknd/sites/park/folders.json', { as: OPERATOR, body: { '/a': '/b' } });
    expect([answer.status, answer.headers['x-warning']]).toEqual([200, undefined]);
  });

  it('are warned of a few at a time', async () => {
    const mappings = Array.from({ length: 400 }, (_, index) => [
      `/content/${'a'.repeat(300)}${index}/:/${index}/`,
      `/content/b${index}/:/${index}/`,
    ]);
    const warning = await world.put('park', { mappings: mappings.flat() });
    expect(warning).toMatch(/397 further public paths or mappings are there more than once\./);
    expect(warning?.length).toBeLessThan(1800);
  });

  it.each(SHAPES)('are told by /status as they are served: $says', async (shape) => {
    await put(shape);
    for (const [path, content] of Object.entries(shape.served)) {
      const answer = await world.backend.call('GET', `/status/wknd/park/main${path}`, { as: OPERATOR });
      expect([path, answer.json()]).toMatchObject([path, { live: { status: content.length === 0 ? 404 : 200 } }]);
    }
  });
});
