import { beforeAll, describe, expect, it } from 'vitest';
import { ENGINES } from './engines.ts';
import { startBeforeAll } from '../../support/start-before-all.ts';

const ROOT = '/content/guarded';
const page = (path: string, title: string) => [
  { path, properties: { 'jcr:primaryType': 'cq:Page' } },
  { path: `${path}/jcr:content`, properties: { 'jcr:primaryType': 'cq:PageContent', 'jcr:title': title } },
];

describe.each(ENGINES)('permissions of $name', ({ start }) => {
  const engine = startBeforeAll(() => start());
  beforeAll(async () => {
    await engine.plant([...page(ROOT, 'Guarded'), ...page(`${ROOT}/held`, 'Held'), ...page(`${ROOT}/hidden`, 'Hidden')]);
    await engine.deny(`${ROOT}/held`, 'author', 'rep:write');
    await engine.deny(`${ROOT}/hidden`, 'author', 'jcr:read');
  });

  const unchanged = async (path: string) => expect((await engine.get(`${path}.json`, 'reader')).json).not.toHaveProperty('x');

  it('lets a reader read and an author write', async () => {
    expect((await engine.get(`${ROOT}/jcr:content.json`, 'reader')).json).toMatchObject({ 'jcr:title': 'Guarded' });
    expect((await engine.post(`${ROOT}/jcr:content`, { './y': '1' }, 'author')).status).toBe(200);
  });

  it.each([
    ['a reader', 'reader', ROOT],
    ['an author who is denied it', 'author', `${ROOT}/held`],
  ] as const)('refuses a change by %s, and changes nothing', async (_who, person, path) => {
    const content = `${path}/jcr:content`;
    expect(await engine.post(content, { './x': '1' }, person)).toMatchObject({
      status: 422,
      json: { 'status.message': 'invalid payload', changes: [] },
    });
    await unchanged(content);
    expect((await engine.post(`${path}/new`, { './jcr:primaryType': 'cq:Page' }, person)).status).toBe(409);
    expect((await engine.get(`${path}/new.json`, 'reader')).status).toBe(404);
    expect(await engine.post(path, { ':operation': 'delete' }, person)).toMatchObject({
      status: 409,
      json: { 'status.message': 'repository state conflicting with request' },
    });
    expect((await engine.get(`${path}.json`, 'reader')).status).toBe(200);
  });

  it('hides and protects what the caller may not read', async () => {
    const hidden = `${ROOT}/hidden`;
    expect((await engine.get(`${hidden}.json`)).status).toBe(404);
    expect((await engine.get(`${hidden}/jcr:content.json`)).status).toBe(404);
    expect((await engine.get(`${ROOT}.infinity.json`)).text).not.toContain('Hidden');
    expect((await engine.post(`${hidden}/jcr:content`, { './x': '1' })).status).toBe(500);
    await unchanged(`${hidden}/jcr:content`);
    expect((await engine.post(hidden, { ':operation': 'delete' })).status).toBe(200);
    expect((await engine.get(`${hidden}.json`, 'reader')).status).toBe(200);
  });

  it('hides access control entries from callers who may not manage them', async () => {
    expect((await engine.get(`${ROOT}.infinity.json`, 'reader')).text).not.toContain('ACE');
  });
});
