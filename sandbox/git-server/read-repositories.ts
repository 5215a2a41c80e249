import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { askGit } from './git.ts';
import { keepFiles } from './keep-files.ts';

export interface Branch {
  readonly name: string;
  readonly commit: string;
}

/** What the code host knows of its repositories; names are checked here before any of them reaches git. */
export interface Repositories {
  organizations(): Promise<string[]>;
  /** Undefined where there is no such organization. */
  inOrganization(org: string): Promise<string[] | undefined>;
  branches(org: string, repo: string): Promise<Branch[] | undefined>;
  files(org: string, repo: string, branch: string): Promise<string[] | undefined>;
  file(org: string, repo: string, branch: string, path: string): Promise<Buffer | undefined>;
  has(org: string, repo: string): Promise<boolean>;
}

export function repositoriesIn(folder: string): Repositories {
  const list = async (path: string) => readdir(path).catch(() => undefined);
  const inOrganization = async (org: string) => {
    if (!NAME.test(org)) return undefined;
    return (await list(join(folder, org)))?.filter((name) => name.endsWith('.git')).map((name) => name.slice(0, -'.git'.length));
  };
  const has = async (org: string, repo: string) => (await inOrganization(org))?.includes(repo) === true;
  const ask = async (org: string, repo: string, command: readonly string[]) =>
    (await has(org, repo)) ? askGit(join(folder, org, `${repo}.git`), command) : undefined;
  const fileOf = keepFiles();
  return {
    inOrganization,
    has,
    organizations: async () => (await list(folder)) ?? [],
    branches: async (org, repo) =>
      lines(await ask(org, repo, ['for-each-ref', '--format=%(refname:lstrip=2) %(objectname)', 'refs/heads']))?.map((line) => {
        const [name = '', commit = ''] = line.split(' ');
        return { name, commit };
      }),
    files: async (org, repo, branch) =>
      BRANCH.test(branch) ? lines(await ask(org, repo, ['ls-tree', '-r', '--name-only', `refs/heads/${branch}`])) : undefined,
    file: async (org, repo, branch, path) =>
      BRANCH.test(branch) && PATH.test(path) && (await has(org, repo)) ? fileOf(join(folder, org, `${repo}.git`), branch, path) : undefined,
  };
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
