import { execFile } from 'node:child_process';

const OUTPUT_LIMIT = 64 * 1024 * 1024;

/** The environment of every git process here: ignores the user's git configuration, no prompt. */
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

/** What git prints; undefined where it says that there is no such thing. Throws a sentence where there is no git program. */
export function askGit(repository: string, command: readonly string[]): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    const settings = { env: gitEnvironment({ GIT_DIR: repository }), encoding: 'buffer', maxBuffer: OUTPUT_LIMIT } as const;
    execFile('git', [...command], settings, (error, output) => {
      if (error === null) resolve(output);
      else if (typeof error.code === 'number') resolve(undefined);
      else reject(error.code === 'ENOENT' ? new Error(NO_GIT) : error);
    });
  });
}

/** Runs git and insists that it succeeds. */
export function runGit(command: readonly string[], more: Readonly<Record<string, string>>): Promise<void> {
  return new Promise((resolve, reject) => {
    execFile('git', [...command], { env: gitEnvironment(more) }, (error, _output, complaint) => {
      if (error === null) resolve();
      else reject(new Error(error.code === 'ENOENT' ? NO_GIT : `git ${command[0] ?? ''} failed: ${complaint.trim()}`));
    });
  });
}

const NO_GIT = 'The sandbox needs the git program: install git and start again.';
