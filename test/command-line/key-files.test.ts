import { mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildCommandLine, temporaryDirectory } from '../support/child-backend.ts';
import { names, operate, operateOnFullDisk } from '../support/operate.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

const folder = startBeforeAll(temporaryDirectory);
beforeAll(buildCommandLine);

describe.each(['signing', 'secret'] as const)('a file of %s keys', (kind) => {
  it('is created for nodes that only read theirs, and never over another', async () => {
    const file = join(folder.path, `made-${kind}.json`);
    const keys = (action: string) => operate(['keys', kind, action], { [`${kind.toUpperCase()}_KEY_FILE`]: file });
    const [created = ''] = await names(keys('make'));
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await keys('make')).toMatchObject({ status: 2, err: expect.stringContaining('it already exists') });
    expect(await names(keys('list'))).toEqual([created]);
  });

  it('is created completely or not at all, and is unchanged if the disk is full', async () => {
    const { keyFolder, file, env } = await ownerKey(`full-${kind}`);
    expect(await operateOnFullDisk(['keys', kind, 'make'], env)).toEqual({
      status: 2,
      out: '',
      err: `Could not create the file ${file}: there is no space left.\n`,
    });
    expect(await readdir(keyFolder)).toEqual([]);
    const [created = ''] = await names(operate(['keys', kind, 'make'], env));
    const no = `The file ${file} cannot be written: there is no space left. The keys stay as they were.\n`;
    expect(await operateOnFullDisk(['keys', kind, 'add'], env)).toEqual({ status: 2, out: '', err: no });
    const [, second = ''] = await names(operate(['keys', kind, 'add', '--last'], env));
    expect(await operateOnFullDisk(['keys', kind, 'remove', second], env)).toMatchObject({
      status: 2,
      err: expect.stringContaining('there is no space left. The keys stay as they were.'),
    });
    expect(await readdir(keyFolder)).toEqual([`${kind}.json`]);
    expect(await names(operate(['keys', kind, 'list'], env))).toEqual([created, second]);
  });

  it('leaves each removed key in a file beside it, from which it can be restored', async () => {
    const { keyFolder, env } = await ownerKey(`removed-${kind}`);
    const keys = (...args: string[]) => operate(['keys', kind, ...args], env);
    const [first = ''] = await names(keys('make'));
    const [, second = ''] = await names(keys('add', '--last'));
    const result = await keys('remove', second);
    const [kept = ''] = (await readdir(keyFolder)).filter((name) => name.startsWith(`${kind}.json.removed-`));
    expect(result).toMatchObject({
      status: 0,
      out: expect.stringContaining(`The key is kept in ${join(keyFolder, kept)}. To add it again, run keys ${kind} put-back <that file>.`),
    });
    expect((await stat(join(keyFolder, kept))).mode & 0o777).toBe(0o600);
    expect(await names(keys('list'))).toEqual([first]);
    expect(await names(keys('put-back', join(keyFolder, kept)))).toEqual([first, second]);
    expect(await keys('put-back', join(keyFolder, kept))).toMatchObject({
      status: 2,
      err: expect.stringContaining('is already in the file'),
    });
    expect(await keys('put-back', join(keyFolder, 'none'))).toMatchObject({ status: 2, err: expect.stringContaining('cannot be read') });
    expect(await names(keys('use', second))).toEqual([second, first]);
  });
});

it('a service without disk space for its key file reports that, and leaves nothing', async () => {
  const { keyFolder } = await ownerKey('service');
  const data = join(keyFolder, 'data');
  expect(await operateOnFullDisk([], { DATA_DIR: data, PORT: '0' }, 'backend/dist/main.js')).toEqual({
    status: 1,
    out: '',
    err: `Could not create the secret key file ${join(data, 'secret-keys.json')}: there is no space left.\n`,
  });
  expect(await readdir(data)).toEqual([]);
});

/** A new folder, its key file, and the settings that name it. */
async function ownerKey(name: string) {
  const keyFolder = join(folder.path, name);
  await mkdir(keyFolder);
  const [, kind = ''] = name.split('-');
  const file = join(keyFolder, `${kind}.json`);
  return { keyFolder, file, env: { [`${kind.toUpperCase()}_KEY_FILE`]: file } };
}
