import { LIMITS } from '@repoless/contract/limits.ts';

/** Settings by which git keeps well below that limit with any repository that is small enough to be taken. */
export const SPARING_SETTINGS = [
  'core.packedGitWindowSize=32m',
  'core.packedGitLimit=256m',
  'core.bigFileThreshold=32m',
  'core.deltaBaseCacheLimit=64m',
  'pack.threads=2',
];

/**
 * How git is started under limits of the system. In: its arguments, and bytes that a single file may have that it writes. Out:
 * program and arguments. The shell counts memory in kilobytes and files in blocks of 512 bytes; where the system knows no limit
 * of memory, git goes without.
 */
export function limitedGit(command: readonly string[], fileLimit?: number): readonly [program: string, parameters: string[]] {
  const blocks = fileLimit === undefined ? 'unlimited' : String(Math.ceil(fileLimit / 512));
  // What would end git without a word is ignored: it says itself that a file is too large.
  const file = '[ "$2" = unlimited ] || { trap "" XFSZ; ulimit -f "$2"; } || exit 1';
  const script = `ulimit -v "$1" 2>/dev/null; ${file}; shift 2; exec git "$@"`;
  return ['sh', ['-c', script, 'sh', String(LIMITS.gitMemory / 1024), blocks, ...command]];
}

/** What git says where a file that it writes meets the limit. */
export const FILE_TOO_LARGE = /file too large/i;

/** Whether a shell says that it has found no git. */
export function isGitMissing(status: number | null, said: string): boolean {
  return status === 127 && /git: .*not found/.test(said);
}
