import { beforeAll, describe, expect, it } from 'vitest';
import { OPERATOR, publicPart } from '../support/backend.ts';
import { startCodeWorld } from '../support/code-world.ts';
import { startBeforeAll } from '../support/start-before-all.ts';
const world = startBeforeAll(() => startCodeWorld({ settings: { CODE_RETRY_DELAY: '1' } }));
beforeAll(async () => {
  await world.register('site-one', { public: publicPart('site-one') });
});

const visit = (path: string, ref = 'main') => world.backend.visit('preview', `${ref}--site-one--wknd`, path);
const told = async (path: string, ref?: string) => {
  const { status, headers, json } = await visit(path, ref);
  expect((json() as { detail: string }).detail).toBe(headers['x-error']);
  return [status, headers['x-error-code'], headers['x-error']];
};
const fault = (mode: string) => fetch(`${world.codeHost.address}/sandbox/faults`, { method: 'POST', body: JSON.stringify({ mode }) });

describe('a file of the code that is missing', () => {
  const FILES = ['/component-definition.json', '/component-models.json', '/head.html', '/scripts/scripts.js', '/styles/styles.css'];

  it('says before the first sync that there was none, and does not blame the content source', async () => {
    for (const path of FILES)
      expect(await told(path)).toEqual([
        404,
        'CODE_NOT_SYNCHRONISED',
        'The code of branch "main" has not been synchronised yet. Start its first sync.',
      ]);
  });

  it('says that the first sync failed, and why', async () => {
    await fault('forbidden');
    await world.sync('site-one');
    await fault('none');
    for (const path of FILES) {
      const [status, code, sentence] = await told(path);
      expect([status, code]).toEqual([404, 'CODE_NOT_SYNCHRONISED']);
      expect(sentence).toMatch(/^The code of branch "main" is not synchronised: its sync failed\. .* answered 403 for wknd\/wknd/);
    }
  });

  it('says once there is code that the branch has no such file, and of what commit', async () => {
    const { data } = await world.sync('site-one');
    expect((await visit('/component-definition.json')).status).toBe(200);
    expect(await told('/scripts/none.js')).toEqual([
      404,
      'FILE_NOT_FOUND',
      `The code of branch "main" (commit ${data?.sha?.slice(0, 7)}) does not have the file.`,
    ]);
    await fault('forbidden');
    await world.sync('site-one');
    await fault('none');
    expect((await told('/scripts/none.js'))[2]).toMatch(/does not have the file\. The latest sync failed: .* answered 403/);
  });

  it('says so of another branch by its name', async () => {
    expect((await told('/head.html', 'feature-one'))[2]).toBe(
      'The code of branch "feature-one" has not been synchronised yet. Start its first sync, or check the branch name.',
    );
  });
});

describe('an odd path', () => {
  it.each([
    ['//config.json', 'The path has two slashes in a row. Write "/config.json".'],
    ['/scripts//scripts.js?x=1', 'The path has two slashes in a row. Write "/scripts/scripts.js".'],
    ['/%2Fconfig.json', 'The path has two slashes in a row. Write "/config.json".'],
    ['/../config.json', 'The path has a segment "." or "..". Remove it.'],
    ['/a\\b', 'The path has a backslash. Write "/".'],
    ['/a%zz', 'The path has a "%" that is not part of an encoded character. Write "%25" for it.'],
    ['/a%00', 'The path has the character "%00", which no name has. Remove it.'],
  ])('on a host is refused with what is wrong: %s', async (path, sentence) => {
    expect(await told(path)).toEqual([400, 'NAME_INVALID', sentence]);
  });

  it.each([
    ['//config.json', '/config.json'],
    ['//config/wknd/sites/site-one.json', '/config/wknd/sites/site-one.json'],
    ['/config//wknd/sites/site-one.json?x=1', '/config/wknd/sites/site-one.json'],
    ['/job//wknd/site-one/main/code', '/job/wknd/site-one/main/code'],
  ])('at the service is refused with what is wrong: %s', async (path, meant) => {
    const answer = await world.backend.call('GET', path, { as: OPERATOR });
    expect([answer.status, answer.headers['x-error']]).toEqual([404, `The address has two slashes in a row. Write "${meant}".`]);
  });
});
