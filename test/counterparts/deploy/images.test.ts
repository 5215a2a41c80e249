import { execFile, spawn } from 'node:child_process';
import { chown, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { diskFolder } from '../../support/memory-folder.ts';
import { CACHE, ROOT } from './cache.ts';
import { imageMaker, type Image } from './make-image.ts';
import { once } from 'node:events';
import { sendSignal } from '../../support/child-backend.ts';

const run = promisify(execFile);
const MEGABYTE = 1_000_000;
const WITHIN = { timeout: 60_000, interval: 200 };
const KEY = 'a-key-of-both-programs';

let folder: string;
let image: (target: string) => Promise<Image>;
let running: Container | undefined;
beforeAll(async () => {
  folder = await mkdtemp(join(diskFolder(), 'repoless-images-'));
  image = await imageMaker(folder);
  for (const target of ['service', 'build-management', 'extension']) await image(target);
}, 900_000);
afterEach(async () => {
  await running?.stop();
  running = undefined;
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe.each([
  ['service', 4000, 'The service answers at'],
  ['build-management', 4006, 'Build management answers at'],
])('the image of %s', (target, port, sentence) => {
  it('runs unprivileged on a read-only root, becomes ready, and exits with 0 when stopped', async () => {
    const data = await volume(target);
    running = await runImage(await image(target), data, { BUILD_MANAGEMENT_KEY: KEY });
    await ready(running, port);
    expect((await running.ask(port, '/live')).status).toBe(200);
    const status = await running.inside('cat', '/proc/1/status');
    expect(status).toMatch(/^Name:\ttini\n/);
    expect(status).toMatch(/^Uid:\t10001\t10001\t10001\t10001$/m);
    expect(status).toMatch(/^CapBnd:\t0{16}$/m);
    expect(status).toMatch(/^NoNewPrivs:\t1$/m);
    for (const file of ['/app/x', '/etc/x', '/usr/local/bin/x'])
      await expect(running.inside('touch', file)).rejects.toThrow('Read-only file system');
    expect((await readdir(data)).toSorted()).toContain('secret-keys.json');
    const { code, printed } = await running.stop();
    expect(printed).toContain(sentence);
    expect(code).toBe(0);
  });

  it('reports by its health check whether it is alive', async () => {
    running = await runImage(await image(target), await volume(target), { BUILD_MANAGEMENT_KEY: KEY });
    await ready(running, port);
    const { health } = await image(target);
    await running.inside(...health);
    await expect(running.inside('env', 'PORT=9', ...health)).rejects.toThrow('Command failed');
  });

  it('continues with the data of its volume', async () => {
    const data = await volume(target);
    running = await runImage(await image(target), data, { BUILD_MANAGEMENT_KEY: KEY });
    await ready(running, port);
    const before = await readFile(join(data, 'secret-keys.json'), 'utf8');
    await running.stop();
    running = await runImage(await image(target), data, { BUILD_MANAGEMENT_KEY: KEY });
    await ready(running, port);
    expect(await readFile(join(data, 'secret-keys.json'), 'utf8')).toBe(before);
  });

  it('exits with a message if a setting is invalid', async () => {
    running = await runImage(await image(target), await volume(target), { BUILD_MANAGEMENT_KEY: KEY, PUBLIC_ADDRESS: 'nonsense' });
    expect(await running.ended).toMatchObject({ code: 1, printed: expect.stringContaining('PUBLIC_ADDRESS: Write an http(s) address.') });
  });
});

it('the service image has git and the commands, and reaps orphaned processes', async () => {
  running = await runImage(await image('service'), await volume('service'));
  await ready(running, 4000);
  const [, major = '', minor = ''] = /^git version (\d+)\.(\d+)/.exec(await running.inside('git', '--version')) ?? [];
  expect(Number(major) * 1000 + Number(minor)).toBeGreaterThanOrEqual(2037);
  expect(await running.inside('repoless-admin', 'keys', 'signing', 'list')).toMatch(/^\S+ signs\n$/);
  // An orphaned process ends, and is reaped.
  await running.inside('sh', '-c', '(exec sleep 0.2) &');
  await vi.waitFor(async () => {
    const states = await running?.inside('sh', '-c', 'cat /proc/[0-9]*/status 2>/dev/null | grep -A2 "^Name:.sleep" || true');
    expect(states).toBe('');
  }, WITHIN);
});

describe('the image of the extension', () => {
  it('serves its files with the deployment’s headers, and exits with 0 when stopped', async () => {
    running = await runImage(await image('extension'), folder);
    const { ask, inside, stop } = running;
    await vi.waitFor(async () => expect((await ask(8080, '/live')).status).toBe(200), WITHIN);
    const { health } = await image('extension');
    await inside(...health);
    const page = await ask(8080, '/index.html');
    expect(page).toMatchObject({ status: 200, headers: { 'content-type': 'text/html', 'x-content-type-options': 'nosniff' } });
    const [script = ''] = /assets\/[\w-]+\.js/.exec(page.body) ?? [];
    expect(await ask(8080, `/${script}`)).toMatchObject({
      status: 200,
      headers: { 'cache-control': 'public, max-age=31536000, immutable', 'x-content-type-options': 'nosniff' },
    });
    expect((await ask(8080, '/settings.json')).status).toBe(404);
    expect(await stop()).toEqual({ code: 0, printed: '' });
  });

  it('serves the folder of a deployment', async () => {
    const built = await image('extension');
    await run('cp', ['-a', `${ROOT}deploy/compose/extension/.`, join(built.root, 'etc/repoless')]);
    running = await runImage(built, folder);
    const { ask } = running;
    await vi.waitFor(async () => expect((await ask(8080, '/live')).status).toBe(200), WITHIN);
    expect(JSON.parse((await ask(8080, '/settings.json')).body)).toEqual({ service: 'https://config.example.com' });
    expect((await ask(8080, '/index.html')).headers['content-security-policy']).toContain("connect-src 'self' https://config.example.com ");
  });
});

const Lock = z.object({ packages: z.record(z.string(), z.object({ version: z.string().optional() })) });

it('the service image contains only runtime dependencies, at the locked versions, in less than 200 MB', async () => {
  const { root } = await image('service');
  const [installed, own] = await Promise.all(
    [join(root, 'app/node_modules/.package-lock.json'), join(ROOT, 'package-lock.json')].map(async (file) =>
      Lock.parse(JSON.parse(await readFile(file, 'utf8'))),
    ),
  );
  const others = Object.entries(installed?.packages ?? {}).filter(([path]) => !path.startsWith('node_modules/@repoless/'));
  expect(others.length).toBeGreaterThan(50);
  expect(others.filter(([path, { version }]) => own?.packages[path]?.version !== version)).toEqual([]);
  expect(others.map(([path]) => path).filter((path) => /\/(?:react|vite|typescript|@adobe|vitest|playwright-core)\b/.test(path))).toEqual(
    [],
  );
  await expect(run('chroot', [root, 'npm', '--version'])).rejects.toThrow();
  await expect(run('chroot', [root, 'g++', '--version'])).rejects.toThrow();
  const [whole, base] = [await packedSize(root), await packedSize(join(CACHE, 'debian'))];
  console.info(`The image of the service: ${Math.round(whole / MEGABYTE)} MB packed, ${Math.round(base / MEGABYTE)} of them Debian.`);
  expect(whole).toBeLessThan(200 * MEGABYTE);
}, 120_000);

/** The compressed size in bytes, as in a registry. */
async function packedSize(root: string): Promise<number> {
  const { stdout } = await run('sh', ['-c', 'tar -c -C "$0" . | gzip | wc -c', root]);
  return Number(stdout);
}

/** Creates an empty volume that belongs to the account of the images. */
async function volume(name: string): Promise<string> {
  const data = await mkdtemp(join(folder, `${name}-data-`));
  await mkdir(data, { recursive: true });
  await chown(data, 10_001, 10_001);
  return data;
}

async function ready(container: Container, port: number): Promise<void> {
  await vi.waitFor(async () => expect((await container.ask(port, '/ready')).status).toBe(200), WITHIN);
}
interface Container {
  /** Sends a request to the program from within its separate network: `http://127.0.0.1:<port><path>`. */
  ask(port: number, path: string): Promise<z.infer<typeof Answer>>;
  /** Runs a program in the same namespaces, as its user. Returns its output; rejects if it fails. */
  inside(...args: readonly string[]): Promise<string>;
  /** Resolves when the program has ended by itself or by `stop`. */
  readonly ended: Promise<End>;
  /** Sends the image's stop signal if the program still runs. */
  stop(): Promise<End>;
}

/** The exit code and the output. */
interface End {
  readonly code: number | null;
  readonly printed: string;
}

const Answer = z.object({ status: z.number(), headers: z.record(z.string(), z.string()), body: z.string() });

/** As `docker run --read-only --tmpfs /tmp --cap-drop ALL --security-opt no-new-privileges --network none --volume …:/data`. */
const PREPARE = `
set -e
ip link set lo up
mount --bind "$0" "$0"
mount -t proc proc "$0/proc"
mount --rbind /dev "$0/dev"
mount -t tmpfs tmpfs "$0/tmp"
if [ -d "$0/data" ]; then mount --bind "$1" "$0/data"; fi
mount -o remount,bind,ro "$0"
shift
exec chroot "$0" "$@"`;

/** Runs the image with its volume in the folder `data`, and these settings. Resolves when it runs. */
async function runImage(image: Image, data: string, settings: Readonly<Record<string, string>> = {}): Promise<Container> {
  const environment = Object.entries({ ...image.environment, ...settings }).map(([name, value]) => `${name}=${value}`);
  const [uid = '', gid = ''] = image.user.split(':');
  const account = ['/usr/bin/setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', '--no-new-privs', '--bounding-set=-all'];
  const asUser = [...account, '/usr/bin/env', '-i', `--chdir=${image.workdir}`, ...environment];
  const parameters = ['--mount', '--pid', '--net', '--ipc', '--fork', '--kill-child', '/bin/sh', '-c', PREPARE, image.root, data];
  const child = spawn('unshare', [...parameters, ...asUser, ...image.entrypoint, ...image.command], { stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  const ended = once(child, 'close').then(() => ({ code: child.exitCode, printed }));
  const pid = await firstProcess(child.pid ?? 0, ended);
  const nsenter = (namespaces: readonly string[], args: readonly string[]) =>
    run('nsenter', ['--target', String(pid), ...namespaces, '--', ...args]).then(({ stdout }) => stdout);
  return {
    ask: async (port, path) =>
      Answer.parse(JSON.parse(await nsenter(['--net'], [process.execPath, '-e', ASK, `http://127.0.0.1:${port}${path}`]))),
    inside: (...args) => nsenter(['--mount', '--net', '--pid', '--root'], [...asUser, ...args]),
    ended,
    stop() {
      if (child.exitCode === null && child.signalCode === null) sendSignal(pid, image.stopSignal);
      return ended;
    },
  };
}

const ASK = `
const response = await fetch(process.argv[1]);
console.log(JSON.stringify({ status: response.status, headers: Object.fromEntries(response.headers), body: await response.text() }));`;

/** The ID here of process 1 of the new namespace, once it is the image's own program. */
async function firstProcess(unshare: number, ended: Promise<End>): Promise<number> {
  let hasEnded = false;
  void ended.then(() => (hasEnded = true));
  for (;;) {
    if (hasEnded) throw new Error(`The image does not run. ${(await ended).printed}`);
    const children = await readFile(`/proc/${unshare}/task/${unshare}/children`, 'utf8').catch(() => '');
    const pid = Number(children.trim());
    const name = pid === 0 ? '' : await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '');
    if (!['', 'unshare', 'sh', 'chroot', 'setpriv', 'env'].includes(name.trim())) return pid;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
