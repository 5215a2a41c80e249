import { beforeAll, describe, expect, it } from 'vitest';
import { OPERATOR } from '../support/backend.ts';
import { startCodeWorld } from '../support/code-world.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

const BRANCH = 'feature/Café-Menü';
const REF = 'feature-cafe-menu';

const world = startBeforeAll(startCodeWorld);
beforeAll(async () => {
  await world.register('menu');
  await world.clone.push({ 'styles/menu.css': 'body { color: sienna }\n' }, BRANCH);
});

describe('A branch whose name has accents', () => {
  it('is synced under the name that the public service gives it, and served there', async () => {
    const { status, text } = await world.backend.call('POST', `/code/wknd/menu/${REF}/*?branch=${encodeURIComponent(BRANCH)}`, {
      as: OPERATOR,
    });
    expect(status, text).toBe(202);
    await world.ended('menu', REF);
    const file = await world.backend.visit('preview', `${REF}--menu--wknd`, '/styles/menu.css');
    expect([file.status, file.text]).toEqual([200, 'body { color: sienna }\n']);
  });

  it('is found only by that name', async () => {
    await world.clone.push({ 'styles/menu.css': 'body { color: tan }\n' }, BRANCH);
    expect((await world.sync('menu', REF)).state).toBe('stopped');
    expect((await world.backend.visit('preview', `${REF}--menu--wknd`, '/styles/menu.css')).text).toBe('body { color: tan }\n');
  });

  it('is named in the refusal of another name', async () => {
    const { status, text } = await world.backend.call('POST', `/code/wknd/menu/feature-caf-men/*?branch=${encodeURIComponent(BRANCH)}`, {
      as: OPERATOR,
    });
    expect([status, text]).toEqual([400, expect.stringContaining(`is written \\"${REF}\\"`)]);
  });
});
