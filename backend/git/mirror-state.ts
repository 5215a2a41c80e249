import { stat } from 'node:fs/promises';
import { GitFailure } from './git-failure.ts';
import { askGit } from './run-git.ts';

/** `unknown`: it could not be looked at to the end; what is not known is not removed. */
export type MirrorState = 'sound' | 'damaged' | 'missing' | 'unknown';

/**
 * The state of a mirror, determined by inspecting it: git's output while it talks to a remote doesn't show it. Flaws in committed objects are not
 * our damage.
 */
export async function mirrorState(repository: string, signal: AbortSignal): Promise<MirrorState> {
  if ((await stat(repository).catch(() => undefined)) === undefined) return 'missing';
  try {
    await askGit({ repository, signal, command: ['fsck', '--no-dangling', '--no-progress'] });
    return 'sound';
  } catch (error) {
    if (signal.aborted) return 'unknown';
    if (!(error instanceof GitFailure)) throw error;
    return error.status === FLAWED_OBJECTS ? 'sound' : 'damaged';
  }
}

/** The exit status where objects are there in full, but not as git would write them today. */
const FLAWED_OBJECTS = 1;
