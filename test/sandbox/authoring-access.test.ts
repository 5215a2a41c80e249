import type { PlantedResource } from '@repoless/sandbox/authoring-system/content-store.ts';
import { seedContent } from '@repoless/sandbox/seed/seed-content.ts';
import { describe, expect, it } from 'vitest';
import { type Fields, startAuthor } from './author.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

const ADA = 'ada.admin@example.com';
const CARL = 'carl.config@example.com';
const ROOT = '/content/harbour';
const TEMPLATE = '/libs/core/franklin/templates/configuration';

const entry = (path: string, type: 'rep:DenyACE' | 'rep:GrantACE', privilege: string): PlantedResource => ({
  environment: 'p100-e200',
  path: `${path}/rep:policy/entry`,
  properties: { 'jcr:primaryType': type, 'rep:principalName': CARL, 'rep:privileges': [privilege] },
});

describe('access control of the authoring system', () => {
  const author = startBeforeAll(() =>
    startAuthor([
      ...seedContent('live.localhost:4000'),
      entry(ROOT, 'rep:DenyACE', 'rep:write'),
      entry('/conf/harbour/settings', 'rep:GrantACE', 'rep:write'),
      entry('/content/lantern', 'rep:DenyACE', 'jcr:read'),
    ]),
  );

  const write = async (as: string, path: string, fields: Fields) => author.post(path, fields, { as, csrf: await author.csrf(as) });
  const mayWrite = (path: string, as: string) => author.json(`${path}/.permissions.json?privileges=rep:write`, { as });

  it('refuses what an entry denies, makes nothing of it, and tells beforehand', async () => {
    expect(await mayWrite(`${ROOT}/jcr:content`, CARL)).toEqual({ hasPermission: false });
    const refused = await write(CARL, `${ROOT}/_jcr_content`, { './cq:conf': '/conf/else' });
    expect([refused.status, refused.text.includes('invalid payload')]).toEqual([422, true]);
    const page = { cmd: 'createPage', parentPath: ROOT, title: 'X', label: 'x', template: TEMPLATE };
    expect((await write(CARL, '/bin/wcmcommand', page)).status).toBe(403);
    expect((await author.get(`${ROOT}/x.json`, { as: ADA })).status).toBe(404);
    expect(await mayWrite(ROOT, ADA)).toEqual({ hasPermission: true });
    expect(await mayWrite('/conf/harbour/settings', CARL)).toEqual({ hasPermission: true });
  });

  it('shows nothing of what somebody may not read, and entries to nobody', async () => {
    expect((await author.get('/content/lantern/_jcr_content.json', { as: CARL })).status).toBe(404);
    expect((await author.get('/content/lantern/_jcr_content.json', { as: ADA })).status).toBe(200);
    expect((await author.get(`${ROOT}.infinity.json`, { as: ADA })).text).not.toContain('rep:');
  });

  it('keeps a locked page for who locked it, with its content, until they give it back', async () => {
    const page = '/content/orchard';
    expect((await write(ADA, '/bin/wcmcommand', { cmd: 'lockPage', path: page })).status).toBe(200);
    expect(await author.json(`${page}/_jcr_content.json`, { as: CARL })).toMatchObject({ 'jcr:lockOwner': ADA, 'jcr:lockIsDeep': true });
    const refused = await write(CARL, `${page}/_jcr_content`, { './cq:conf': '/conf/else' });
    expect(refused.status).toBe(422);
    expect((await write(CARL, '/bin/wcmcommand', { cmd: 'unlockPage', path: page })).status).toBe(500);
    expect((await write(ADA, `${page}/_jcr_content`, { './jcr:title': 'Mine' })).status).toBe(200);
    await write(ADA, '/bin/wcmcommand', { cmd: 'unlockPage', path: page });
    expect((await write(CARL, `${page}/_jcr_content`, { './jcr:title': 'Ours' })).status).toBe(200);
  });
});
