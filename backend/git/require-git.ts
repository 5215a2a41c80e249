import { GitUnusable } from './git-failure.ts';

/**
 * What a version of git is needed for: by the first, nobody's settings hold but those of a call; from the second on, git
 * connects to the address that it is given. An older git passes over what it does not know without a word.
 */
export const GIT_VERSIONS = { ownSettings: '2.32', pinnedAddress: '2.37' } as const;

/**
 * Makes sure that git is recent enough. In: how it is asked for its version. It is asked once, and again where it did not tell.
 * The check rejects with GitUnusable.
 */
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
