import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { askGit } from './git.ts';

export interface Branch {
  readonly name: string;
  readonly commit: string;
}

/** What the code host knows of its repositories, in any case of their names; these are checked here before any of them reaches git. */
export interface Repositories {
  organizations(): Promise<string[]>;
  /** Undefined where there is no such organization. */
  inOrganization(org: string): Promise<string[] | undefined>;
  branches(org: string, repo: string): Promise<Branch[] | undefined>;
  files(org: string, repo: string, branch: string): Promise<string[] | undefined>;
  file(org: string, repo: string, branch: string, path: string): Promise<Buffer | undefined>;
  /** Whether it is spelled so. */
  has(org: string, repo: string): Promise<boolean>;
  /** Its names as they are spelled. */
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
  const placeOf = async (org: string, repo: string) => {
    const found = await find(org, repo);
    return found === undefined ? undefined : join(folder, found.org, `${found.repo}.git`);
  };
  const ask = async (org: string, repo: string, command: readonly string[]) => {
    const place = await placeOf(org, repo);
    return place === undefined ? undefined : askGit(place, command);
  };
  const fileOf = keepFiles();
  return {
    inOrganization,
    find,
    has: async (org, repo) => {
      const found = await find(org, repo);
      return found?.org === org && found.repo === repo;
    },
    organizations: async () => (await list(folder)) ?? [],
    branches: async (org, repo) =>
      lines(await ask(org, repo, ['for-each-ref', '--format=%(refname:lstrip=2) %(objectname)', 'refs/heads']))?.map((line) => {
        const [name = '', commit = ''] = line.split(' ');
        return { name, commit };
      }),
    files: async (org, repo, branch) =>
      BRANCH.test(branch) ? lines(await ask(org, repo, ['ls-tree', '-r', '--name-only', `refs/heads/${branch}`])) : undefined,
    file: async (org, repo, branch, path) => {
      const place = BRANCH.test(branch) && PATH.test(path) ? await placeOf(org, repo) : undefined;
      return place === undefined ? undefined : fileOf(place, branch, path);
    },
  };
}

function sameName(names: readonly string[], wanted: string): string | undefined {
  return names.find((name) => name.toLowerCase() === wanted.toLowerCase());
}

function lines(output: Buffer | undefined): string[] | undefined {
  return output
    ?.toString()
    .split('\n')
    .filter((line) => line !== '');
}

const NAME = /^[a-zA-Z0-9_-][a-zA-Z0-9_.-]*$/;
const BRANCH = /^(?!.*\.\.)[a-zA-Z0-9_][a-zA-Z0-9_./-]*$/;
/** No segment that climbs, nothing that git would read as an option or a revision. */
const PATH = /^(?!\/)(?!.*(^|\/)\.\.?(\/|$))[^\0:]+$/;

type File = Promise<Buffer | undefined>;

/** Files that are kept at most; then it begins anew. */
const KEPT = 1000;

/**
 * Files of branches, undefined where there is none. Every plan asks for the same few, and starting git costs more than all else about the
 * answer; what a commit holds never changes, so git is asked once for each file of a commit.
 */
function keepFiles(): (repository: string, branch: string, path: string) => File {
  const kept = new Map<string, File>();
  return async (repository, branch, path) => {
    const commit = await commitOf(repository, branch);
    if (commit === undefined) return await ask(repository, `refs/heads/${branch}`, path);
    const place = `${repository} ${commit} ${path}`;
    const known = kept.get(place);
    if (known !== undefined) return await known;
    if (kept.size >= KEPT) kept.clear();
    const asked = ask(repository, commit, path);
    kept.set(place, asked);
    asked.catch(() => kept.delete(place));
    return await asked;
  };
}

function ask(repository: string, revision: string, path: string): File {
  return askGit(repository, ['cat-file', 'blob', `${revision}:${path}`]);
}

/** As git keeps it after a push; undefined where it keeps it in another way. */
async function commitOf(repository: string, branch: string): Promise<string | undefined> {
  const text = await readFile(join(repository, 'refs/heads', branch), 'utf8').catch(() => '');
  return /^[0-9a-f]{40,64}$/.exec(text.trim())?.[0];
}
