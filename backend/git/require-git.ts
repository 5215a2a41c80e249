import { GitUnusable } from './git-failure.ts';

/**
 * Minimum versions of git: from the first on, only the settings of a call apply; from the second on, git connects to the given address. Older
 * versions silently ignore what they don't know.
 */
export const GIT_VERSIONS = { ownSettings: '2.32', pinnedAddress: '2.37' } as const;

/** Checks that git is recent enough. `version` is queried once, and again if that failed. Rejects with GitUnusable. */
export function requireGit(askVersion: () => Promise<string>): (need: keyof typeof GIT_VERSIONS) => Promise<void> {
  let asked: Promise<string> | undefined;
  return async (need) => {
    asked ??= askVersion();
    const said = await asked.catch((error: unknown) => {
      asked = undefined;
      throw error;
    });
    const [, found = 'unknown'] = /^git version (\S+)/.exec(said) ?? [];
    if (isAtLeast(found, GIT_VERSIONS[need])) return;
    // It may be replaced while the program runs.
    asked = undefined;
    throw new GitUnusable(
      `The git program on the server has the version ${found}. Its operator must install version ${GIT_VERSIONS[need]} or newer.`,
    );
  };
}

function isAtLeast(found: string, needed: string): boolean {
  const [[major = 0, minor = 0], [neededMajor = 0, neededMinor = 0]] = [numbers(found), numbers(needed)];
  return major > neededMajor || (major === neededMajor && minor >= neededMinor);
}

function numbers(version: string): number[] {
  return version.split('.').map((part) => Number.parseInt(part, 10));
}
