import { describe, expect, it } from 'vitest';
import { ENGINES } from './engines.ts';
import type { NamedFields } from '../../sandbox/author.ts';
import { startBeforeAll } from '../../support/start-before-all.ts';

const PLAIN = 'nt:unstructured';

describe.each(ENGINES)('importing into $name', ({ start }) => {
  let count = 0;
  const engine = startBeforeAll(() => start());

  const importContent = (path: string, content: unknown, fields: NamedFields = {}) =>
    engine.post(path, {
      ':operation': 'import',
      ':contentType': 'json',
      ':content': typeof content === 'string' ? content : JSON.stringify(content),
      ...fields,
    });
  const json = async (path: string) => (await engine.get(`${path}.3.json`)).json;
  const create = async () => {
    const path = `/content/imported-${(count += 1)}`;
    await engine.post(path, { './jcr:primaryType': PLAIN });
    return path;
  };

  it('creates a resource with its descendants, and lists each node and property in order', async () => {
    const root = await create();
    const content = { text: 't', count: 5, k: { y: 1 }, rate: 1.5, yes: true, many: ['a', 'b'], none: null, empty: [] };
    const answer = await importContent(root, content, { ':name': 'one' });
    const path = `${root}/one`;
    expect(answer).toMatchObject({ status: 201, location: path });
    expect(answer.json).toEqual({
      referer: '',
      path,
      location: path,
      parentLocation: root,
      isCreate: true,
      title: `Content created ${path}`,
      'status.code': 201,
      'status.message': 'Created',
      changes: ['', '/text', '/count', '/k', '/k/y', '/rate', '/yes', '/many', '/empty'].map((below) => ({
        type: 'created',
        argument: `${path}${below}`,
      })),
    });
    const { none: _none, ...stored } = content;
    expect(await json(path)).toEqual({ 'jcr:primaryType': PLAIN, ...stored, k: { 'jcr:primaryType': PLAIN, y: 1 } });
  });

  it('refuses an existing name, and replaces its resource on request', async () => {
    const root = await create();
    await importContent(root, { a: 1, k: {} }, { ':name': 'one' });
    expect(await importContent(root, { b: 1 }, { ':name': 'one', ':replaceProperties': 'true' })).toMatchObject({
      status: 412,
      json: { 'status.message': `Cannot import ${root}/one: node exists`, path: root, changes: [] },
    });
    expect(await importContent(root, { b: 1 }, { ':name': 'one', ':replace': 'true' })).toMatchObject({
      status: 200,
      json: { isCreate: false, path: `${root}/one`, title: `Content modified ${root}/one` },
    });
    expect(await json(`${root}/one`)).toEqual({ 'jcr:primaryType': PLAIN, b: 1 });
  });

  it('merges into the resource itself without a name, and replaces properties and nodes on request', async () => {
    const root = await create();
    const plain = (text: string, k: object) => ({ 'jcr:primaryType': PLAIN, text, k: { 'jcr:primaryType': PLAIN, ...k } });
    await importContent(root, { text: 'a', k: { x: 1 } });
    expect((await importContent(root, { text: 'b', k: { x: 2, y: 2 } })).json).toMatchObject({
      changes: [{ argument: `${root}/k/y` }],
      path: `${root}/k/y`,
    });
    expect(await json(root)).toEqual(plain('a', { x: 1, y: 2 }));
    await importContent(root, { text: 'c', k: { x: 3 } }, { ':replaceProperties': 'true' });
    expect(await json(root)).toEqual(plain('c', { x: 3, y: 2 }));
    await importContent(root, { text: 'd', k: { x: 4 } }, { ':replace': 'true' });
    expect(await json(root)).toEqual(plain('c', { x: 4 }));
    const own = { 'jcr:created': 'x', 'jcr:uuid': 'x', 'jcr:mixinTypes': ['mix:title'] };
    await importContent(root, { ...own, made: own });
    expect(await json(root)).toEqual({ ...plain('c', { x: 4 }), made: { 'jcr:primaryType': PLAIN, 'jcr:mixinTypes': ['mix:title'] } });
  });

  it.each([
    ['My Great Name That Is Long', 'my_great_name_that_i'],
    ['2020 a--b', '_2020_a_b'],
  ])('derives a name from the hint %s', async (hint, name) => {
    const root = await create();
    expect((await importContent(root, { a: 1 }, { ':nameHint': hint })).location).toBe(`${root}/${name}`);
    expect((await importContent(root, { a: 1 }, { ':nameHint': hint })).location).toMatch(new RegExp(`^${root}/${name}_\\d+$`));
  });

  it('creates missing ancestors, and nodes of the given type or the parent’s default', async () => {
    const page = { 'jcr:primaryType': 'cq:Page', 'jcr:content': { 'jcr:title': 'T', sub: { x: 1 } } };
    const path = '/content/imported-above';
    const { json: answer } = await importContent(`${path}/deep`, page, { ':name': 'page' });
    const places = ['', '/deep', '/deep/page', '/deep/page/jcr:content', '/deep/page/jcr:content/jcr:title'].map(
      (below) => `${path}${below}`,
    );
    const changes = [...places, expect.any(String), expect.any(String)].map((argument: unknown) => ({ type: 'created', argument }));
    expect(answer).toMatchObject({ path, changes });
    expect((await engine.get(`${path}.infinity.json`)).json).toMatchObject({
      'jcr:primaryType': 'sling:OrderedFolder',
      deep: {
        page: { 'jcr:primaryType': 'cq:Page', 'jcr:content': { 'jcr:primaryType': 'cq:PageContent', sub: { 'jcr:primaryType': PLAIN } } },
      },
    });
  });

  it.each([
    ['incomplete JSON', '{"a":', 'x', 409],
    ['a list', '[1]', 'x', 409],
    ['an array of mixed types', '{"a":[1,"b"]}', 'x', 409],
    ['an array of integers and fractions', '{"a":[1,2.5]}', 'x', 409],
    ['a name with a slash', '{}', 'a/b', 409],
    ['an invalid name', '{}', 'a*b', 409],
    ['a child with an invalid name', '{"k*":{}}', 'x', 409],
    ['an unregistered node type', '{"jcr:primaryType":"my:own"}', 'x', 409],
    ['an unknown node type', '{"jcr:primaryType":"own"}', 'x', 409],
    ['a property of an unregistered prefix', '{"mine:own":1}', 'x', 409],
  ])('refuses %s, and stores nothing of it', async (_what, content, name, status) => {
    const root = await create();
    expect(await importContent(root, content, { ':name': name })).toMatchObject({ status, json: { 'status.code': status, changes: [] } });
    expect(await json(root)).toEqual({ 'jcr:primaryType': PLAIN });
  });

  it('accepts content from a file field, and creates an empty resource from empty content', async () => {
    const root = await create();
    const ask = (fields: NamedFields) => engine.post(root, { ':operation': 'import', ...fields });
    expect((await ask({ ':contentType': 'json', ':name': 'f', ':contentFile': '{"a":2}' })).status).toBe(201);
    expect(await json(`${root}/f`)).toMatchObject({ a: 2 });
    expect((await importContent(root, '', { ':name': 'e' })).status).toBe(201);
    expect(await ask({ ':name': 'x', ':content': '{}' })).toMatchObject({
      status: 412,
      json: { 'status.message': 'Required :contentType parameter is missing' },
    });
    expect(await ask({ ':contentType': 'json', ':name': 'x' })).toMatchObject({
      status: 412,
      json: { 'status.message': 'Missing content for import' },
    });
    expect((await ask({ ':contentType': 'yaml', ':name': 'x', ':content': 'a: 1' })).status).toBe(500);
  });

  it('requires write permission, and fails below an unreadable resource', async () => {
    const root = await create();
    await engine.plant(['held', 'hidden'].map((name) => ({ path: `${root}/${name}`, properties: { 'jcr:primaryType': PLAIN } })));
    await engine.deny(`${root}/held`, 'author', 'rep:write');
    await engine.deny(`${root}/hidden`, 'author', 'jcr:read');
    expect((await importContent(`${root}/held`, { a: 1 }, { ':name': 'x' })).status).toBe(409);
    expect((await importContent(root, { held: { x: { a: 1 } } })).status).toBe(409);
    expect((await importContent(`${root}/hidden`, { a: 1 }, { ':name': 'x' })).status).toBe(500);
    const asReader = { ':operation': 'import', ':contentType': 'json', ':name': 'x', ':content': '{"a":1}' };
    expect((await engine.post(root, asReader, 'reader')).status).toBe(409);
    expect((await engine.get(`${root}.2.json`, 'reader')).text).not.toContain('"a"');
  });
});
