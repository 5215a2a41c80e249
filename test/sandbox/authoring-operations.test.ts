import { describe, expect, it } from 'vitest';
import { type Fields, startAuthor } from './author.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

const ADA = 'ada.admin@example.com';
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
  ] as const)('asks for the CSRF token with %s', async (_what, fields) => {
    expect((await author.post('/content/small', fields, { as: ADA })).status).toBe(403);
    expect((await author.get('/content/new.json', { as: ADA })).status).toBe(404);
    expect((await author.get('/content/small/new.json', { as: ADA })).status).toBe(404);
  });

  it.each([
    ['a copy of more than 10,000 resources', '/content/large', { ':operation': 'copy', ':dest': '/content/twice' }],
    ['a move of more than 10,000 resources', '/content/large', { ':operation': 'move', ':dest': '/content/twice' }],
    ['a copy in the place of all configurations', '/content/small', { ':operation': 'copy', ':dest': '/conf', ':replace': 'true' }],
    ['the removal of all configurations', '/content/small', { ':operation': 'delete', ':applyTo': '/conf' }],
    ['an import of more than 50 levels', '/content/small', { ':operation': 'import', ':contentType': 'json', ':content': deep(60) }],
    [
      'an import into another place',
      '/content/small',
      { ':operation': 'import', ':contentType': 'json', ':content': '{"..":{"twice":{}}}' },
    ],
  ] as const)('refuses %s', async (_what, path, fields) => {
    expect(await operate(path, fields)).toBe(409);
    expect((await author.get('/content/twice.json', { as: ADA })).status).toBe(404);
    expect((await author.get('/conf/kept.json', { as: ADA })).status).toBe(200);
    expect(await author.json('/content/small.1.json')).toEqual({ 'jcr:primaryType': 'nt:unstructured' });
  });

  it('makes nothing outside /content and /conf', async () => {
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
