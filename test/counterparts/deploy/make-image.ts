import ignore from 'ignore';
import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, stat } from 'node:fs/promises';
import { constants } from 'node:os';
import { basename, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { CACHE, DEPLOY, ROOT } from './cache.ts';

const run = promisify(execFile);
const Strings = z.array(z.string());
const Signal = z.custom<NodeJS.Signals>((text) => typeof text === 'string' && Object.hasOwn(constants.signals, text));
/** Stand-ins for base images, because no registry is available here. */
const BASES: Readonly<Record<string, string>> = { 'debian:bookworm-slim': 'debian', 'node:22-bookworm': 'debian-node-22' };
/** Variables of this machine, not of the image: certificates, proxies, and that native modules are compiled instead of downloaded. */
const MACHINE = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => /^(?:https?|no)_proxy$/i.test(name))),
  NODE_EXTRA_CA_CERTS: '/run/certificates.crt',
  npm_config_cafile: '/run/certificates.crt',
  npm_config_build_from_source: 'better-sqlite3',
  npm_config_update_notifier: 'false',
  DEBIAN_FRONTEND: 'noninteractive',
  HOME: '/root',
};

export interface Image {
  readonly root: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly user: string;
  readonly workdir: string;
  readonly entrypoint: readonly string[];
  readonly command: readonly string[];
  readonly health: readonly string[];
  readonly stopSignal: NodeJS.Signals;
}

/** Executes the steps of deploy/images/Dockerfile, each stage in a file system below `folder`. Returns a function that builds a target once. */
export async function imageMaker(folder: string): Promise<(target: string) => Promise<Image>> {
  const stages = stagesOf(await readFile(join(DEPLOY, 'images/Dockerfile'), 'utf8'));
  const context = join(folder, 'context');
  await copyContext(context);
  const built = new Map<string, Promise<Image>>();
  const make = (name: string): Promise<Image> => {
    const image = built.get(name) ?? makeStage(name);
    built.set(name, image);
    return image;
  };
  return make;

  async function makeStage(name: string): Promise<Image> {
    const stage = stages.find((one) => one.name === name);
    if (stage === undefined) throw new Error(`The Dockerfile has no stage ${name}.`);
    let image: Image = { ...(await baseOf(stage)), root: join(folder, name) };
    for (const step of stage.steps) image = await carryOut(step, image);
    return image;
  }

  async function baseOf({ base, name }: Stage): Promise<Image> {
    const cached = BASES[base];
    const from = cached === undefined ? await make(base) : { ...EMPTY, root: join(CACHE, cached) };
    await run('cp', ['-a', '--reflink=auto', from.root, join(folder, name)]);
    return from;
  }

  async function carryOut({ name, text }: Step, image: Image): Promise<Image> {
    switch (name) {
      case 'ENV':
        return { ...image, environment: { ...image.environment, ...settingsIn(text) } };
      case 'WORKDIR':
        await mkdir(join(image.root, text), { recursive: true });
        return { ...image, workdir: text };
      case 'USER':
        return { ...image, user: text };
      case 'STOPSIGNAL':
        return { ...image, stopSignal: Signal.parse(text) };
      case 'ENTRYPOINT':
        return { ...image, entrypoint: Strings.parse(JSON.parse(text)) };
      case 'CMD':
        return { ...image, command: Strings.parse(JSON.parse(text)) };
      case 'HEALTHCHECK':
        return { ...image, health: Strings.parse(JSON.parse(text.replace(/^.*? CMD /, ''))) };
      case 'EXPOSE':
      case 'VOLUME':
        return image;
      case 'COPY':
        await copyFiles(text, image);
        return image;
      case 'RUN':
        await runInside(text, image);
        return image;
      default:
        throw new Error(`The tests do not know the instruction ${name}.`);
    }
  }

  async function copyFiles(text: string, { root, workdir }: Image): Promise<void> {
    const [, stage] = /^--from=(\S+) /.exec(text) ?? [];
    const [target = '', ...sources] = text
      .replace(/^--from=\S+ /, '')
      .split(' ')
      .toReversed();
    const from = stage === undefined ? context : (await make(stage)).root;
    const to = target.startsWith('/') ? join(root, target) : join(root, workdir, target);
    for (const source of sources) {
      const path = join(from, source);
      const isFolder = (await stat(path)).isDirectory();
      const isInto = isFolder || target.endsWith('/') || sources.length > 1;
      await mkdir(isInto ? to : join(to, '..'), { recursive: true });
      await run('cp', [
        '-a',
        '--no-preserve=ownership',
        isFolder ? `${path}/.` : path,
        isInto && !isFolder ? join(to, basename(path)) : to,
      ]);
    }
  }
}

function settingsIn(text: string): Record<string, string> {
  return Object.fromEntries([...text.matchAll(/(\w+)=(\S+)/g)].map(([, name = '', value = '']) => [name, value]));
}

const EMPTY: Image = {
  root: '',
  environment: { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' },
  user: '0:0',
  workdir: '/',
  entrypoint: [],
  command: [],
  health: [],
  stopSignal: 'SIGTERM',
};

/** The checkout without what .dockerignore names. */
async function copyContext(context: string): Promise<void> {
  const ignored = ignore().add(await readFile(join(ROOT, '.dockerignore'), 'utf8'));
  await cp(ROOT, context, {
    recursive: true,
    filter: (path) => {
      const name = relative(ROOT, path);
      return name === '' || !ignored.ignores(name);
    },
  });
}

const PREPARE = `
set -e
mount -t proc proc "$0/proc"
mount -t tmpfs tmpfs "$0/run"
cp /etc/ssl/certs/ca-certificates.crt "$0/run/certificates.crt"
mount --rbind /dev "$0/dev"
exec chroot "$0" /bin/sh -c 'cd "$0" && exec /bin/sh -c "$1"' "$1" "$2"`;

/** Executes a RUN step as root in the file system, with separate process and mount namespaces. */
async function runInside(command: string, { root, workdir, environment }: Image): Promise<void> {
  const parameters = ['--mount', '--pid', '--fork', '--kill-child', '/bin/sh', '-c', PREPARE, root, workdir, command];
  await run('unshare', parameters, { env: { ...MACHINE, ...environment }, maxBuffer: 1e8 }).catch((error: unknown) => {
    const { stdout = '', stderr = '' } = Output.parse(error);
    throw new Error(`RUN ${command}\n${`${stdout}${stderr}`.slice(-5000)}`);
  });
}

const Output = z.object({ stdout: z.string().optional(), stderr: z.string().optional() });

interface Step {
  readonly name: string;
  readonly text: string;
}

interface Stage {
  readonly name: string;
  /** An image, or an earlier stage. */
  readonly base: string;
  readonly steps: readonly Step[];
}

/** The stages of a Dockerfile, with its initial arguments substituted. */
function stagesOf(text: string): Stage[] {
  const lines = text
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .join('\n')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '');
  const given = new Map<string, string>();
  const stages: { name: string; base: string; steps: Step[] }[] = [];
  for (const line of lines) {
    const [, name = '', rest = ''] = /^([A-Z]+) (.*)$/.exec(line) ?? [];
    if (name === 'ARG') {
      const [argument = '', value = ''] = rest.split('=');
      given.set(argument, value);
    } else if (name === 'FROM') {
      const [, base = '', stage = ''] = /^(\S+) AS (\S+)$/.exec(rest) ?? [];
      stages.push({ name: stage, base: base.replaceAll(/\$\{(\w+)\}/g, (_, argument: string) => given.get(argument) ?? ''), steps: [] });
    } else {
      stages.at(-1)?.steps.push({ name, text: rest });
    }
  }
  return stages;
}
