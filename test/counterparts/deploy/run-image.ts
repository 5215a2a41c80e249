import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { z } from 'zod';
import { sendSignal } from '../../support/child-backend.ts';
import type { Image } from './make-image.ts';

const run = promisify(execFile);

export interface Container {
  /** Sends a request to the program from within its separate network: `http://127.0.0.1:<port><path>`. */
  ask(port: number, path: string): Promise<z.infer<typeof Answer>>;
  /** Runs a program beside it, as its user. Returns its output; rejects if it fails. */
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
export async function runImage(image: Image, data: string, settings: Readonly<Record<string, string>> = {}): Promise<Container> {
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
  let isOver = false;
  void ended.then(() => (isOver = true));
  for (;;) {
    if (isOver) throw new Error(`The image does not run. ${(await ended).printed}`);
    const children = await readFile(`/proc/${unshare}/task/${unshare}/children`, 'utf8').catch(() => '');
    const pid = Number(children.trim());
    const name = pid === 0 ? '' : await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '');
    if (!['', 'unshare', 'sh', 'chroot', 'setpriv', 'env'].includes(name.trim())) return pid;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
