import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { projectRoot } from '../addresses.ts';

export interface Branch {
  readonly name: string;
  readonly commit: string;
}

/** The repositories of the code host, by names in any case; names are checked here before they reach git. */
export interface Repositories {
  organizations(): Promise<string[]>;
  /** Undefined if there is no such organization. */
  inOrganization(org: string): Promise<string[] | undefined>;
  branches(org: string, repo: string): Promise<Branch[] | undefined>;
  files(org: string, repo: string, branch: string): Promise<string[] | undefined>;
  file(org: string, repo: string, branch: string, path: string): Promise<Buffer | undefined>;
  /** Whether it exists with this spelling. */
  has(org: string, repo: string): Promise<boolean>;
  /** Its names in their actual spelling. */
  find(org: string, repo: string): Promise<{ org: string; repo: string } | undefined>;
}

export function repositoriesIn(folder: string): Repositories {
  const list = async (path: string) => readdir(path).catch(() => undefined);
  const inOrganization = async (org: string) => {
    const spelled = NAME.test(org) ? sameName((await list(folder)) ?? [], org) : undefined;
    if (spelled === undefined) return undefined;
    return (await list(join(folder, spelled)))?.filter((name) => name.endsWith('.git')).map((name) => name.slice(0, -'.git'.length));
  };
  const find = async (org: string, repo: string) => {
    const known = sameName((await inOrganization(org)) ?? [], repo);
    const owner = sameName((await list(folder)) ?? [], org);
    return owner === undefined || known === undefined ? undefined : { org: owner, repo: known };
  };
  const gitFolder = async (org: string, repo: string) => {
    const found = await find(org, repo);
    return found === undefined ? undefined : join(folder, found.org, `${found.repo}.git`);
  };
  const run = async (org: string, repo: string, command: readonly string[]) => {
    const repository = await gitFolder(org, repo);
    return repository === undefined ? undefined : git(repository, command);
  };
  return {
    inOrganization,
    find,
    has: async (org, repo) => {
      const found = await find(org, repo);
      return found?.org === org && found.repo === repo;
    },
    organizations: async () => (await list(folder)) ?? [],
    branches: async (org, repo) =>
      lines(await run(org, repo, ['for-each-ref', '--format=%(refname:lstrip=2) %(objectname)', 'refs/heads']))?.map((line) => {
        const [name = '', commit = ''] = line.split(' ');
        return { name, commit };
      }),
    files: async (org, repo, branch) =>
      BRANCH.test(branch) ? lines(await run(org, repo, ['ls-tree', '-r', '--name-only', `refs/heads/${branch}`])) : undefined,
    file: async (org, repo, branch, path) => {
      const repository = BRANCH.test(branch) && PATH.test(path) ? await gitFolder(org, repo) : undefined;
      return repository === undefined ? undefined : fileOf(repository, branch, path);
    },
  };
}

function sameName(names: readonly string[], requested: string): string | undefined {
  return names.find((name) => name.toLowerCase() === requested.toLowerCase());
}

function lines(output: Buffer | undefined): string[] | undefined {
  return output
    ?.toString()
    .split('\n')
    .filter((line) => line !== '');
}

const NAME = /^[a-zA-Z0-9_-][a-zA-Z0-9_.-]*$/;
const BRANCH = /^(?!.*\.\.)[a-zA-Z0-9_][a-zA-Z0-9_./-]*$/;
/** No segment that leaves the repository, nothing that git would parse as an option or a revision. */
const PATH = /^(?!\/)(?!.*(^|\/)\.\.?(\/|$))[^\0:]+$/;

type File = Promise<Buffer | undefined>;

/** Maximum cached files; then the cache is emptied. */
const MAX_CACHED = 1000;

/** By commit and path: hosts started one after the other in a process have copies of the same repositories. */
const cachedFiles = new Map<string, File>();

/**
 * A file of a branch; undefined if there is none. Every plan reads the same few, and starting git costs more than the rest of the answer; a
 * commit's content never changes, so git is started once for each file of a commit.
 */
async function fileOf(repository: string, branch: string, path: string): Promise<Buffer | undefined> {
  const commit = await commitOf(repository, branch);
  if (commit === undefined) return await readRevision(repository, `refs/heads/${branch}`, path);
  const key = `${commit} ${path}`;
  const known = cachedFiles.get(key);
  if (known !== undefined) return await known;
  if (cachedFiles.size >= MAX_CACHED) cachedFiles.clear();
  const reading = readRevision(repository, commit, path);
  cachedFiles.set(key, reading);
  reading.catch(() => cachedFiles.delete(key));
  return await reading;
}

function readRevision(repository: string, revision: string, path: string): File {
  return git(repository, ['cat-file', 'blob', `${revision}:${path}`]);
}

/** In the form in which git stores it after a push; undefined if it is stored differently. */
async function commitOf(repository: string, branch: string): Promise<string | undefined> {
  const text = await readFile(join(repository, 'refs/heads', branch), 'utf8').catch(() => '');
  return /^[0-9a-f]{40,64}$/.exec(text.trim())?.[0];
}

interface Commit {
  readonly message: string;
  /** Paths of files, and of folders with all their files; missing ones are skipped. */
  readonly paths: readonly string[];
}

/** The history that each repository gets, oldest first. */
const HISTORY: readonly Commit[] = [
  { message: 'Begin', paths: ['README.md', 'package.json'] },
  { message: 'Add head, scripts and styles', paths: ['head.html', 'scripts', 'styles'] },
  { message: 'Add blocks', paths: ['blocks'] },
  {
    message: 'Let authors use the blocks in the editor',
    paths: ['component-definition.json', 'component-models.json', 'component-filters.json'],
  },
  { message: 'Keep what no site needs out of the delivery', paths: ['.hlxignore'] },
  { message: 'Say where the content is', paths: ['fstab.yaml', 'paths.json', 'config.json'] },
];
const FIRST_COMMIT = Date.parse('2025-01-06T09:00:00Z');
const DAY = 24 * 60 * 60 * 1000;

/**
 * Creates the missing repositories of a host from `sandbox/repositories/<host>/<org>/<repo>`. One without its own `head.html` also gets
 * the files of the boilerplate. A repository appears complete or not at all.
 */
export async function makeRepositories(host: 'code-host' | 'vendor-host', folder: string): Promise<void> {
  const sources = join(projectRoot(), 'sandbox/repositories', host);
  for (const org of await readdir(sources)) {
    for (const repo of await readdir(join(sources, org))) {
      const target = join(folder, org, `${repo}.git`);
      if (!existsSync(target)) await makeRepository(join(sources, org, repo), target);
    }
  }
}

async function makeRepository(source: string, target: string): Promise<void> {
  const unfinished = `${target}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(dirname(target), { recursive: true });
  await runGit(['init', '--quiet', '--bare', '--template=', '--initial-branch=main', unfinished], {});
  const files = join(unfinished, 'files');
  if (!existsSync(join(source, 'head.html'))) await cp(join(projectRoot(), 'sandbox/repositories/boilerplate'), files, { recursive: true });
  await cp(source, files, { recursive: true });
  const environment = { GIT_DIR: unfinished, GIT_WORK_TREE: files, GIT_INDEX_FILE: join(unfinished, 'index') };
  for (const [day, { message, paths }] of HISTORY.entries()) {
    const existing = paths.filter((path) => existsSync(join(files, path)));
    if (existing.length === 0) continue;
    await runGit(['add', '--force', '--', ...existing.map((path) => join(files, path))], environment);
    await runGit(['commit', '--quiet', '--message', message], { ...environment, ...author(FIRST_COMMIT + day * DAY) });
  }
  await rm(files, { recursive: true });
  await rm(environment.GIT_INDEX_FILE, { force: true });
  await rename(unfinished, target);
}

function author(time: number): Record<string, string> {
  const date = new Date(time).toISOString();
  const person = { NAME: 'Ada Admin', EMAIL: 'ada.admin@example.com', DATE: date };
  return Object.fromEntries(
    Object.entries(person).flatMap(([key, value]) => [`GIT_AUTHOR_${key}`, `GIT_COMMITTER_${key}`].map((name) => [name, value])),
  );
}

const OUTPUT_LIMIT = 64 * 1024 * 1024;

/** The environment of every git process here: ignores the user's git configuration and disables prompts. */
export function gitEnvironment(more: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const { PATH } = process.env;
  return {
    ...(PATH === undefined ? {} : { PATH }),
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    ...more,
  };
}

/** git's output; undefined if git reports that there is no such object. Throws a message if git is not installed. */
function git(repository: string, command: readonly string[]): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    const settings = { env: gitEnvironment({ GIT_DIR: repository }), encoding: 'buffer', maxBuffer: OUTPUT_LIMIT } as const;
    execFile('git', [...command], settings, (error, output) => {
      if (error === null) resolve(output);
      else if (typeof error.code === 'number') resolve(undefined);
      else reject(error.code === 'ENOENT' ? new Error(NO_GIT) : error);
    });
  });
}

/** Runs git; rejects if it fails. */
function runGit(command: readonly string[], more: Readonly<Record<string, string>>): Promise<void> {
  return new Promise((resolve, reject) => {
    execFile('git', [...command], { env: gitEnvironment(more) }, (error, _output, complaint) => {
      if (error === null) resolve();
      else reject(new Error(error.code === 'ENOENT' ? NO_GIT : `git ${command[0] ?? ''} failed: ${complaint.trim()}`));
    });
  });
}

const NO_GIT = 'The sandbox needs the git program: install git and start again.';
