import { describe, expect, it } from 'vitest';
import { ENGINES } from './engines.ts';
import type { NamedFields } from '../../sandbox/author.ts';
import { startBeforeAll } from '../../support/start-before-all.ts';

const PLAIN = { './jcr:primaryType': 'nt:unstructured' };

describe.each(ENGINES)('writing to $name', ({ start }) => {
  let count = 0;
  const engine = startBeforeAll(() => start());

  const properties = async (path: string) => (await engine.get(`${path}.json`)).json;
  /** A new resource with these properties. */
  const create = async (fields: NamedFields = {}) => {
    const path = `/content/written-${(count += 1)}`;
    expect(await engine.post(path, { ...PLAIN, ...fields })).toMatchObject({ status: 201, location: path });
    return path;
  };

  it('lists what it created, changed and deleted', async () => {
    const path = await create({ './before': '1' });
    const answer = await engine.post(path, { './a': '1', './before@Delete': '', './below/b': '2' });
    expect(answer.location).toBeUndefined();
    expect(answer.json).toEqual({
      referer: '',
      path,
      location: path,
      parentLocation: '/content',
      title: `Content modified ${path}`,
      'status.code': 200,
      'status.message': 'OK',
      changes: [
        { type: 'deleted', argument: `${path}/before` },
        { type: 'modified', argument: `${path}/a` },
        { type: 'created', argument: `${path}/below` },
        { type: 'modified', argument: `${path}/below/b` },
      ],
    });
    const again = await engine.post(`${path}/jcr:content`, { './a': '1' });
    expect(again.json).toMatchObject({ isCreate: true, location: `${path}/_jcr_content`, title: `Content created ${path}/jcr:content` });
  });

  it('stores texts, multiple values, and values of a requested type', async () => {
    const path = await create({
      './text': '3',
      './several': ['a', 'b'],
      './one': 'a',
      './one@TypeHint': 'String[]',
      './count': '3',
      './count@TypeHint': 'Long',
      './rate': '1.5',
      './rate@TypeHint': 'Double',
      './yes': 'true',
      './yes@TypeHint': 'Boolean',
      './no': 'anything',
      './no@TypeHint': 'Boolean',
      './at': '2020-01-02T03:04:05.000Z',
      './at@TypeHint': 'Date',
      './counts': ['2', '3'],
      './counts@TypeHint': 'Long[]',
    });
    expect(await properties(path)).toMatchObject({
      text: '3',
      several: ['a', 'b'],
      one: ['a'],
      count: 3,
      rate: 1.5,
      yes: true,
      no: false,
      at: 'Thu Jan 02 2020 03:04:05 GMT+0000',
      counts: [2, 3],
    });
  });

  it('preserves the type of a property and whether it has multiple values', async () => {
    const path = await create({
      './count': '3',
      './count@TypeHint': 'Long',
      './counts': '3',
      './counts@TypeHint': 'Long[]',
      './several': ['a', 'b'],
      './yes': 'true',
      './yes@TypeHint': 'Boolean',
    });
    expect(await engine.post(path, { './count': '4', './counts': '5', './several': 'c', './yes': 'no' })).toMatchObject({ status: 200 });
    expect(await properties(path)).toMatchObject({ count: 4, counts: [5], several: ['c'], yes: false });
    expect(await engine.post(path, { './counts': 'many' })).toMatchObject({ status: 422 });
    expect(await properties(path)).toMatchObject({ counts: [5] });
  });

  it.each([
    ['a text for a number', 'many', 'Long'],
    ['a fraction for an integer', '1.5', 'Long'],
    ['blanks around a number', ' 5 ', 'Long'],
    ['a text for a fraction', 'x', 'Double'],
    ['a text for a date', 'soon', 'Date'],
  ])('refuses %s, and stores nothing of the form', async (_what, value, hint) => {
    const path = await create();
    const answer = await engine.post(path, { './beside': 'x', './value': value, './value@TypeHint': hint });
    expect(answer).toMatchObject({ status: 422, json: { 'status.message': 'invalid payload', location: path, changes: [] } });
    expect(await properties(path)).not.toHaveProperty('beside');
  });

  it('removes deleted and empty properties', async () => {
    const path = await create({ './a': '1', './b': '1', './c': '1', './several': ['x', 'y'], './below/d': '1' });
    const answer = await engine.post(path, {
      './a@Delete': 'true',
      './b': '',
      './c': 'new',
      './c@Delete': '',
      './several': '',
      './new': '',
      './none@Delete': '',
      './below@Delete': '',
    });
    expect(answer.status).toBe(200);
    const { json } = await engine.get(`${path}.1.json`);
    expect(json).toEqual({ 'jcr:primaryType': 'nt:unstructured', c: 'new' });
  });

  it('stores a blank among multiple values, and applies @IgnoreBlanks, @DefaultValue and @ValueFrom', async () => {
    const path = await create({ './x': '1', './several': ['a', ''] });
    expect(await properties(path)).toMatchObject({ several: ['a', ''] });
    await engine.post(path, {
      './x': '',
      './x@IgnoreBlanks': 'true',
      './preset': '',
      './preset@DefaultValue': 'p',
      './absent@DefaultValue': 'q',
      './absent@UseDefaultWhenMissing': 'true',
      './other@ValueFrom': 'elsewhere',
      elsewhere: 'from there',
      './nothing@ValueFrom': 'nowhere',
    });
    const after = await properties(path);
    expect(after).toMatchObject({ x: '1', preset: 'p', absent: 'q', other: 'from there' });
    expect(after).not.toHaveProperty('nothing');
  });

  it('ignores names without ./ if any name has it, and writes to other paths', async () => {
    const path = await create({ './in': '1', out: '2', '../written-beside/y': '3', '/content/written-elsewhere/z': '4' });
    expect(await properties(path)).toEqual({ 'jcr:primaryType': 'nt:unstructured', in: '1' });
    expect(await properties('/content/written-beside')).toMatchObject({ y: '3' });
    expect(await properties('/content/written-elsewhere')).toMatchObject({ z: '4' });
    await engine.post(path, { plain: '5', ':ignored': '6' });
    expect(await properties(path)).toEqual({ 'jcr:primaryType': 'nt:unstructured', in: '1', plain: '5' });
  });

  it('decodes a form in the encoding that it names, else in ISO-8859-1', async () => {
    const path = await create();
    await engine.postBody(path, './utf=%C3%BC+%2B+%25&_charset_=utf-8');
    await engine.postBody(path, './none=%C3%BC');
    await engine.postBody(path, '_charset_=ISO-8859-1&./latin=%FC');
    expect(await properties(path)).toMatchObject({ utf: 'ü + %', none: 'Ã¼', latin: 'ü' });
  });

  it('creates folders in folders, page content in pages, and plain nodes elsewhere', async () => {
    await engine.post('/conf/made/settings', { './x': '1' });
    await engine.post('/content/page-made', { './jcr:primaryType': 'cq:Page', './jcr:content/deep/x': '1' });
    expect((await engine.get('/conf/made.1.json')).json).toMatchObject({
      'jcr:primaryType': 'sling:Folder',
      settings: { 'jcr:primaryType': 'sling:Folder' },
    });
    const { json } = await engine.get('/content/page-made.infinity.json');
    expect(json).toMatchObject({
      'jcr:primaryType': 'cq:Page',
      'jcr:content': { 'jcr:primaryType': 'cq:PageContent', deep: { 'jcr:primaryType': 'nt:unstructured', x: '1' } },
    });
    expect(json).toHaveProperty(['jcr:content', 'jcr:createdBy']);
    expect(json).not.toHaveProperty(['jcr:content', 'deep', 'jcr:createdBy']);
  });

  it('changes the type of a node without listing it, and protects jcr:createdBy', async () => {
    const path = await create({ './jcr:createdBy': 'free' });
    const answer = await engine.post(path, { './jcr:primaryType': 'sling:OrderedFolder', './x': '1' });
    expect(answer.json).toMatchObject({ changes: [{ type: 'modified', argument: `${path}/x` }] });
    expect(await properties(path)).toMatchObject({ 'jcr:primaryType': 'sling:OrderedFolder' });
    await engine.post('/content/folder-kept', { './jcr:primaryType': 'sling:Folder' });
    expect((await engine.post('/content/folder-kept', { './jcr:createdBy': 'me' })).status).toBe(422);
    expect((await engine.post('/content/folder-kept', { './jcr:createdBy@Delete': 'true' })).status).toBe(500);
  });

  it.each([
    ['m%C3%BCnchen%20s%C3%BCd', 'münchen süd', 'm%C3%BCnchen%20s%C3%BCd'],
    ['a%2Bb', 'a+b', 'a%2Bb'],
    ['a+c', 'a+c', 'a%2Bc'],
    ['a%25d', 'a%d', 'a%25d'],
    ['_cq_name', 'cq:name', '_cq_name'],
    ['jcr:name', 'jcr:name', '_jcr_name'],
    ['my_name', 'my_name', 'my_name'],
    ['dot.ted.name', 'dot.ted.name', 'dot.ted.name'],
  ])('creates and finds %s', async (address, name, location) => {
    const answer = await engine.post(`/content/names/${address}`, { ...PLAIN, './x': name });
    expect(answer).toMatchObject({ status: 201, location: `/content/names/${location}`, json: { path: `/content/names/${name}` } });
    expect(await properties(`/content/names/${location}`)).toMatchObject({ x: name });
    expect((await engine.get('/content/names.1.json')).json).toHaveProperty([name]);
  });

  it.each(['my:name', 'st*r', 'pi%7Cpe', 'br%5Bx%5D', 'blank%20'])('refuses to create %s', async (address) => {
    expect((await engine.post(`/content/refused/${address}`, PLAIN)).status).toBe(409);
    expect((await engine.get(`/content/refused/${address}.json`)).status).toBe(404);
  });

  it('stores a property of an unregistered prefix', async () => {
    const path = await create({ './mine:own': 'x' });
    expect(await properties(path)).toHaveProperty(['mine:own'], 'x');
  });

  it('removes a resource with its descendants, and succeeds for a missing one', async () => {
    const path = await create({ './below/x': '1' });
    const changes = [{ type: 'deleted', argument: path }];
    for (let time = 1; time <= 2; time += 1) {
      expect(await engine.post(path, { ':operation': 'delete' })).toMatchObject({
        status: 200,
        json: { title: `Content modified ${path}`, changes },
      });
      expect((await engine.get(`${path}/below.json`)).status).toBe(404);
    }
  });

  it('accepts the null operation, and refuses an unknown one', async () => {
    const path = await create();
    expect(await engine.post(path, { ':operation': 'nop' })).toMatchObject({
      status: 200,
      json: { 'status.message': 'Null Operation Status: 200', changes: [] },
    });
    expect(await engine.post(path, { ':operation': 'shuffle' })).toMatchObject({
      status: 500,
      json: { 'status.message': 'Invalid operation specified for POST request', changes: [] },
    });
  });
});
