import { beforeAll, expect, it } from 'vitest';
import { BUILD_MANAGEMENT_NEEDS } from '../support/byogit.ts';
import {
  BUILD_MANAGEMENT_PROGRAM,
  buildBackend,
  buildCommandLine,
  type ChildBackend,
  startChildBackend,
  temporaryDirectory,
} from '../support/child-backend.ts';
import { operate } from '../support/operate.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

const data = startBeforeAll(() => temporaryDirectory(), 120_000);
beforeAll(async () => {
  await buildBackend();
  await buildCommandLine();
}, 120_000);

const IMPATIENT = { SHUTDOWN_DELAY: '0', SHUTDOWN_GRACE: '0' };

async function end({ child, ended }: ChildBackend, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  child.kill(signal);
  await ended;
}

it.each([
  ['the service', 'Another service', undefined, {}],
  ['build management', 'Another build management', BUILD_MANAGEMENT_PROGRAM, BUILD_MANAGEMENT_NEEDS],
])('of two programs of %s on one data folder, the second ends with a sentence', async (_title, other, program, needs) => {
  const first = await startChildBackend(data.path, needs, { program });
  const second = startChildBackend(data.path, { ...needs, ...IMPATIENT }, { program }).then(({ address }) => address);
  await expect(second).rejects.toThrow(`${other} runs on the folder ${data.path}. Stop it, or set DATA_DIR to another folder.`);
  expect((await fetch(`${first.address}/ready`)).status).toBe(200);
  await end(first, 'SIGKILL');
  // A killed process holds no lock.
  const next = await startChildBackend(data.path, { ...needs, ...IMPATIENT }, { program });
  expect((await fetch(`${next.address}/ready`)).status).toBe(200);
  await end(next);
});

it('one that replaces another waits for its end', async () => {
  const first = await startChildBackend(data.path);
  let noticed: () => void = () => undefined;
  const waits = new Promise<void>((resolve) => (noticed = resolve));
  const wrote = (text: string) => {
    if (text.includes('Waiting for it to end')) noticed();
  };
  const second = startChildBackend(data.path, { SHUTDOWN_GRACE: '60' }, { wrote });
  await Promise.race([waits, second]);
  await end(first);
  expect((await fetch(`${(await second).address}/ready`)).status).toBe(200);
  await end(await second);
});

it('the commands of its operator work beside it', async () => {
  const service = await startChildBackend(data.path);
  expect(await operate(['jobs', 'list'], { DATA_DIR: data.path })).toMatchObject({ status: 0, err: '' });
  expect(await operate(['backup', `${data.path}/copy`], { DATA_DIR: data.path })).toMatchObject({ status: 0, err: '' });
  await end(service);
});
