import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { projectRoot } from '../project-root.ts';
import { runGit } from './git.ts';

interface Commit {
  readonly message: string;
  /** Paths, and folders with all in them; what the repository does not have is left out. */
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
  { message: 'Say where the content lies', paths: ['fstab.yaml', 'paths.json', 'config.json'] },
];
const FIRST_COMMIT = Date.parse('2025-01-06T09:00:00Z');
const DAY = 24 * 60 * 60 * 1000;

/**
 * Makes the repositories that are not there yet. In: `<sources>/<org>/<repo>`, the files of each, below the project's root.
 * A repository appears whole or not at all.
 */
export async function makeRepositories(sourcesBelowRoot: string, folder: string): Promise<void> {
  const sources = join(projectRoot(), sourcesBelowRoot);
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
  await runGit(['init', '--quiet', '--bare', '--initial-branch=main', unfinished], {});
  const place = { GIT_DIR: unfinished, GIT_WORK_TREE: source, GIT_INDEX_FILE: join(unfinished, 'index') };
  for (const [day, { message, paths }] of HISTORY.entries()) {
    const present = paths.filter((path) => existsSync(join(source, path)));
    if (present.length === 0) continue;
    await runGit(['add', '--force', '--', ...present.map((path) => join(source, path))], place);
    await runGit(['commit', '--quiet', '--message', message], { ...place, ...author(FIRST_COMMIT + day * DAY) });
  }
  await rm(place.GIT_INDEX_FILE, { force: true });
  await rename(unfinished, target);
}

function author(time: number): Record<string, string> {
  const date = new Date(time).toISOString();
  const person = { NAME: 'Ada Admin', EMAIL: 'ada.admin@example.com', DATE: date };
  return Object.fromEntries(
    Object.entries(person).flatMap(([key, value]) => [`GIT_AUTHOR_${key}`, `GIT_COMMITTER_${key}`].map((name) => [name, value])),
  );
}
