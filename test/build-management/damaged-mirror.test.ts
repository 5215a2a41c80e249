import { chmod, open, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ExternalRepository, LinkOutcome } from '@repoless/contract/build-management.ts';
import { startBuildWorld } from './world.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

const LIST = '/organizations/wknd/repositories';
let repository: ExternalRepository;
let linked: LinkOutcome;
const world = startBeforeAll(() => startBuildWorld({ GIT_TIMEOUT: '3' }));
beforeAll(async () => {
  repository = await world.ready('gitlab');
  linked = await world.link(repository.repositoryId, 'first');
});

async function mirror(): Promise<string> {
  const folder = join(world.dataDir, 'mirrors');
  const [name] = (await readdir(folder)).filter((one) => one.endsWith('.git'));
  return join(folder, name ?? '');
}
const madeAt = async () => (await stat(await mirror())).birthtimeMs;
const read = (path: string) =>
  world.call('GET', `/raw/${linked.code.owner}/${linked.code.repo}/main/${path}`, {
    as: null,
    headers: { authorization: `token ${linked.secret}` },
  });
const begun = () => world.call('POST', `${LIST}/${repository.repositoryId}/sync`, { body: { branch: 'main' } });

describe('the mirror of an external repository', () => {
  it.each([
    ['unauthorized', /GitLab \(.*\) refuses the access token \(401\)/],
    ['forbidden', /GitLab \(.*\) says that the access token cannot read the repository \(403\)/],
    ['limited', /GitLab \(.*\) received too many requests \(429\)/],
    ['unavailable', /GitLab \(.*\) does not respond as expected/],
    ['down', /GitLab \(.*\) does not respond/],
    ['redirect', /GitLab \(.*\) redirects to another clone address/],
    ['slow', /GitLab \(.*\) did not respond in time/],
  ])('is kept if the vendor is %s, and the message names vendor and cause', async (mode, sentence) => {
    const before = await madeAt();
    await world.fault(mode);
    await begun();
    const { problem } = await world.settled(repository.repositoryId, 'READY', 'failed');
    await world.fault('none');
    expect(problem).toMatch(sentence);
    expect(await madeAt()).toBe(before);
    await begun();
    expect((await world.settled(repository.repositoryId, 'READY', 'failed')).problem).toBeUndefined();
  });

  it.each([
    ['its head', async (folder: string) => writeFile(join(folder, 'HEAD'), 'junk')],
    ['its settings', async (folder: string) => writeFile(join(folder, 'config'), '[[')],
    ['a reference', async (folder: string) => writeFile(join(folder, 'refs', 'heads', 'main'), 'junk')],
    ['its objects', async (folder: string) => breakObjects(folder)],
  ])('is rebuilt if damaged (%s), without blaming the vendor', async (_, damage) => {
    const before = await madeAt();
    await damage(await mirror());
    await begun();
    for (const file of ['.hlxignore', 'styles/styles.css', 'component-definition.json'])
      expect([file, (await read(file)).status]).toEqual([file, 200]);
    expect(await madeAt()).not.toBe(before);
    expect((await world.settled(repository.repositoryId, 'READY', 'failed')).problem).toBeUndefined();
  });
});

async function breakObjects(folder: string): Promise<void> {
  for (const entry of await readdir(join(folder, 'objects'), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || entry.name.endsWith('.idx') || entry.parentPath.endsWith('info')) continue;
    const file = join(entry.parentPath, entry.name);
    await chmod(file, 0o644);
    const handle = await open(file, 'r+');
    await handle.write('XXXXXXXX', Math.floor((await handle.stat()).size / 2));
    await handle.close();
  }
}
