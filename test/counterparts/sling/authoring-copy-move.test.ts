import { beforeEach, describe, expect, it } from 'vitest';
import { ENGINES } from './engines.ts';
import type { NamedFields } from '../../sandbox/author.ts';
import { startBeforeAll } from '../../support/start-before-all.ts';

const PLAIN = 'nt:unstructured';
const OPERATIONS = [
  ['copy', 'copied'],
  ['move', 'moved'],
] as const;
const CONFLICT = { status: 409, json: { 'status.message': 'repository state conflicting with request' } };

describe.each(ENGINES)('copying and moving in $name', ({ start }) => {
  let root: string;
  let count = 0;
  const engine = startBeforeAll(() => start());
  beforeEach(async () => {
    root = `/content/carried-${(count += 1)}`;
    const below = ['a', 'b', 'c', 'into'].flatMap((name) => [node(`${root}/${name}`, { x: name }), node(`${root}/${name}/k`, { y: 1 })]);
    await engine.plant([node(root), ...below]);
  });

  const operate = (how: string, path: string, fields: NamedFields = {}) => engine.post(path, { ':operation': how, ...fields });
  const names = async (path = root) =>
    Object.entries(Object(await json(path, 1))).flatMap(([name, value]) => (typeof value === 'object' ? [name] : []));
  const json = async (path: string, depth = 2) => (await engine.get(`${path}.${depth}.json`)).json;
  const whole = (name: string) => ({ 'jcr:primaryType': PLAIN, x: name, k: { 'jcr:primaryType': PLAIN, y: 1 } });

  describe.each(OPERATIONS)('%s', (how, done) => {
    it('puts a resource with its descendants at the destination', async () => {
      const answer = await operate(how, `${root}/a`, { ':dest': `${root}/new` });
      expect(answer).toMatchObject({ status: 201, location: `${root}/a` });
      expect(answer.json).toEqual({
        referer: '',
        path: `${root}/a`,
        location: `${root}/a`,
        parentLocation: root,
        isCreate: true,
        title: `Content created ${root}/a`,
        'status.code': 201,
        'status.message': 'Created',
        changes: [{ type: done, argument: [`${root}/a`, `${root}/new`] }],
      });
      expect(await json(`${root}/new`)).toEqual(whole('a'));
      expect((await engine.get(`${root}/a.json`)).status).toBe(how === 'copy' ? 200 : 404);
      expect(await names()).toEqual([...(how === 'copy' ? ['a'] : []), 'b', 'c', 'into', 'new']);
    });

    it('accepts a relative destination, and a parent with a trailing slash', async () => {
      expect((await operate(how, `${root}/a`, { ':dest': 'beside' })).status).toBe(201);
      expect((await operate(how, `${root}/b`, { ':dest': `${root}/into/` })).json).toMatchObject({
        changes: [{ type: done, argument: [`${root}/b`, `${root}/into/b`] }],
      });
      expect((await operate(how, `${root}/c`, { ':dest': `../${root.slice(9)}/up` })).status).toBe(201);
      expect(await json(`${root}/beside`)).toEqual(whole('a'));
      expect(await names(`${root}/into`)).toEqual(['k', 'b']);
      expect(await json(`${root}/up`)).toEqual(whole('c'));
    });

    it('refuses an existing destination, and replaces it on request', async () => {
      expect(await operate(how, `${root}/a`, { ':dest': `${root}/b` })).toMatchObject({
        status: 412,
        json: { 'status.message': expect.stringMatching(/: destination exists$/), 'status.code': 412, path: `${root}/a`, changes: [] },
      });
      expect(await json(`${root}/b`)).toEqual(whole('b'));
      const answer = await operate(how, `${root}/a`, { ':dest': `${root}/b`, ':replace': 'true' });
      expect(answer).toMatchObject({ status: 200, json: { title: `Content modified ${root}/a` } });
      expect(answer.location).toBeUndefined();
      expect(answer.json).not.toHaveProperty('isCreate');
      expect(await json(`${root}/b`)).toEqual(whole('a'));
    });

    it('replaces an existing child of a destination with a trailing slash', async () => {
      await engine.post(`${root}/into/a`, { './x': 'before' });
      expect((await operate(how, `${root}/a`, { ':dest': `${root}/into/` })).status).toBe(201);
      expect(await json(`${root}/into/a`)).toEqual(whole('a'));
    });

    it.each([
      ['no destination', {}, 500, /Missing destination$/],
      ['a destination whose parent is missing', { ':dest': 'none/x' }, 412, /parent of destination does not exist$/],
      ['a missing folder', { ':dest': 'none/' }, 412, /parent of destination does not exist$/],
      ['a destination within itself', { ':dest': 'a/inner' }, 409, /^repository state/],
      ['an invalid name', { ':dest': 'st*r' }, how === 'copy' ? 409 : 422, /^(repository state|invalid payload)/],
      ['itself', { ':dest': 'a', ':replace': 'true' }, 409, /^repository state/],
      ['an unknown order', { ':dest': 'z', ':order': 'sideways' }, 500, /sideways$/],
      ['a missing sibling', { ':dest': 'z', ':order': 'before none' }, 409, /^repository state/],
      ['several resources without a trailing slash', { ':dest': 'z', ':applyTo': 'k' }, 500, /requires a trailing slash/],
    ] as const)('refuses %s, and changes nothing', async (_what, fields, status, message) => {
      expect(await operate(how, `${root}/a`, fields)).toMatchObject({
        status,
        json: { 'status.message': expect.stringMatching(message), 'status.code': status, changes: [] },
      });
      expect(await names()).toEqual(['a', 'b', 'c', 'into']);
      expect(await json(`${root}/a`)).toEqual(whole('a'));
    });

    it('processes several resources, except missing ones', async () => {
      const answer = await operate(how, root, { ':dest': `${root}/into/`, ':applyTo': [`${root}/a`, 'b', 'none'] });
      expect(answer).toMatchObject({
        status: 200,
        json: {
          path: root,
          isCreate: false,
          changes: ['a', 'b'].map((name) => ({ type: done, argument: [`${root}/${name}`, `${root}/into/${name}`] })),
        },
      });
      expect(await names(`${root}/into`)).toEqual(['k', 'a', 'b']);
      await operate(how, root, { ':dest': `${root}/c/`, ':applyTo': `${root}/into/*` });
      expect(await names(`${root}/c`)).toEqual(['k', 'a', 'b']);
    });

    it.each([
      ['first', ['new', 'a', 'b', 'c', 'into'], 'a'],
      ['last', ['a', 'b', 'c', 'into', 'new'], undefined],
      ['before c', ['a', 'b', 'new', 'c', 'into'], 'c'],
      ['after c', ['a', 'b', 'c', 'new', 'into'], 'into'],
      ['1', ['a', 'new', 'b', 'c', 'into'], 'b'],
      ['99', ['a', 'b', 'c', 'into', 'new'], undefined],
    ])('puts the resource at the requested position: %s', async (order, expected, before) => {
      await engine.plant([node('/content/carried-from', { x: '1' })]);
      const { json: answer } = await operate(how, '/content/carried-from', { ':dest': `${root}/new`, ':order': order });
      expect(answer).toMatchObject({
        changes: [{ type: done }, { type: 'ordered', argument: [`${root}/new`, ...(before === undefined ? [] : [before])] }],
      });
      expect(await names()).toEqual(expected);
    });

    it('requires write permission at the destination', async () => {
      await engine.deny(`${root}/into`, 'author', 'rep:write');
      expect(await operate(how, `${root}/a`, { ':dest': `${root}/into/new` })).toMatchObject(CONFLICT);
      expect(await operate(how, `${root}/a`, { ':dest': `${root}/into`, ':replace': 'true' })).toMatchObject(CONFLICT);
      expect(await operate(how, root, { ':dest': `${root}/into/`, ':applyTo': 'a' })).toMatchObject(CONFLICT);
      expect(await engine.post(`${root}/a`, { ':operation': how, ':dest': 'z' }, 'reader')).toMatchObject(CONFLICT);
      expect(await json(`${root}/into`)).toMatchObject(whole('into'));
      expect(await names()).toEqual(['a', 'b', 'c', 'into']);
    });

    it('treats an unreadable destination as missing', async () => {
      await engine.deny(`${root}/into`, 'author', 'jcr:read');
      expect((await operate(how, `${root}/a`, { ':dest': `${root}/into/new` })).status).toBe(412);
      expect(await operate(how, `${root}/a/k`, { ':dest': `${root}/into` })).toMatchObject(CONFLICT);
      expect((await engine.get(`${root}/into.json`, 'reader')).json).toMatchObject({ x: 'into' });
    });
  });

  it('copies but does not move a readable resource without write permission', async () => {
    await engine.deny(`${root}/b`, 'author', 'rep:write');
    expect((await operate('copy', `${root}/b`, { ':dest': 'free' })).status).toBe(201);
    expect((await engine.post(`${root}/free`, { './x': 'new' })).status).toBe(200);
    expect(await operate('move', `${root}/b`, { ':dest': 'moved' })).toMatchObject(CONFLICT);
    expect(await names()).toEqual(['a', 'b', 'c', 'into', 'free']);
  });

  it('omits from a copy what the caller may not read', async () => {
    await engine.deny(`${root}/into/k`, 'author', 'jcr:read');
    expect((await operate('copy', `${root}/into`, { ':dest': 'seen' })).status).toBe(201);
    expect((await engine.get(`${root}/seen.1.json`, 'reader')).json).toEqual({ 'jcr:primaryType': PLAIN, x: 'into' });
  });

  it('creates an empty resource for a missing source, by its name', async () => {
    expect(await operate('copy', `${root}/none`, { ':dest': `${root}/into/new` })).toMatchObject({
      status: 201,
      json: { changes: [{ type: 'copied', argument: [`${root}/none`, `${root}/into/none`] }] },
    });
    expect(await operate('move', `${root}/gone`, { ':dest': `${root}/into/new` })).toMatchObject({
      status: 404,
      json: { 'status.message': expect.stringMatching(/^Missing source .*gone for move$/), changes: [] },
    });
    expect(await names(`${root}/into`)).toEqual(['k', 'none', 'gone']);
  });

  it('sets the creation date of a copy, and preserves that of a moved page', async () => {
    await engine.post(`${root}/page`, { './jcr:primaryType': 'cq:Page', './jcr:content/jcr:title': 'T' });
    const original = await json(`${root}/page`);
    await operate('move', `${root}/page`, { ':dest': 'moved' });
    expect(await json(`${root}/moved`)).toEqual(original);
    await operate('copy', `${root}/moved`, { ':dest': 'copied' });
    expect(await json(`${root}/copied`)).toMatchObject({ 'jcr:primaryType': 'cq:Page', 'jcr:content': { 'jcr:title': 'T' } });
    expect(await json(`${root}/copied`)).toHaveProperty(['jcr:content', 'jcr:created']);
  });

  it('deletes several resources, except missing ones, or none of them', async () => {
    const removed = (name: string) => ({ type: 'deleted', argument: `${root}/${name}` });
    const answer = await operate('delete', root, { ':applyTo': [`${root}/a`, 'none', `${root}/into/*`] });
    expect(answer).toMatchObject({ status: 200, json: { path: root, changes: [removed('a'), removed('into/k')] } });
    expect(await names()).toEqual(['b', 'c', 'into']);
    await engine.deny(`${root}/c`, 'author', 'rep:write');
    expect(await operate('delete', root, { ':applyTo': ['b', 'c'] })).toMatchObject(CONFLICT);
    expect(await names()).toEqual(['b', 'c', 'into']);
  });

  it('orders a resource that is changed', async () => {
    const answer = await engine.post(`${root}/c`, { './x': 'new', ':order': 'first' });
    expect(answer.json).toMatchObject({ changes: [{ type: 'modified' }, { type: 'ordered', argument: [`${root}/c`, 'a'] }] });
    expect(await names()).toEqual(['c', 'a', 'b', 'into']);
  });
});

function node(path: string, properties: Readonly<Record<string, string | number>> = {}) {
  return { path, properties: { 'jcr:primaryType': PLAIN, ...properties } };
}
