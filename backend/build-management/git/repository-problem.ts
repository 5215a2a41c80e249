import { codeSentence } from '@repoless/contract/code-sentences.ts';
import type { GitVendor } from '@repoless/contract/build-management.ts';
import { mayLeaveFolder, pathOf } from '@repoless/contract/addresses.ts';
import { pinnedTo } from '../../git/mirror.ts';
import { FILE_TOO_LARGE, GitFailure, GitPrintedTooMuch, GitUnusable, requirePinning } from '../../git/run-git.ts';
import type { InternalAddresses, Resolve } from '../../remote/guarded-lookup.ts';
import { RemoteFailure, resolveHost } from '../../remote/remote.ts';

/** Why a repository cannot be read: a message with the next step and without secrets. */
export class RepositoryProblem extends Error {
  override readonly name = 'RepositoryProblem';
  /** The vendor denied access or said that the repository does not exist; it did not fail to respond. */
  readonly isDenied: boolean;

  constructor(sentence: string, { isDenied = false, ...options }: ErrorOptions & { readonly isDenied?: boolean } = {}) {
    super(sentence, options);
    this.isDenied = isDenied;
  }
}

/** The repository was removed while work was in progress. Callers get the same answer as for a missing one (`unlessRemoved`). */
export class RepositoryRemoved extends Error {
  override readonly name = 'RepositoryRemoved';

  constructor() {
    super('The repository was removed.');
  }
}

/** Turns an error of git into a message for the person who adds the repository. Other errors are returned unchanged. */
export function repositoryProblem(error: unknown, { vendor, cloneUrl }: VendorRemote): unknown {
  const location = { _vendor: NAMES[vendor], host: new URL(cloneUrl).host };
  if (error instanceof Error && error.name === 'TimeoutError') return new RepositoryProblem(codeSentence('vendorSlow', location));
  if (error instanceof GitUnusable) return new RepositoryProblem(error.message, { cause: error });
  if (error instanceof GitPrintedTooMuch) return new RepositoryProblem(codeSentence('branchesTooMany.check'), { cause: error });
  if (!(error instanceof GitFailure)) return error;
  const known = PROBLEMS.find(({ pattern }) => pattern.test(error.output));
  if (known !== undefined) return new RepositoryProblem(known.sentence(location), { isDenied: known.isDenied === true });
  if (LOCAL_PROBLEM.test(withoutRemote(error.output))) return new RepositoryProblem(codeSentence('buildsFull'));
  return new RepositoryProblem(codeSentence('vendorClosed', location));
}

/** Whether the vendor is certainly the cause; otherwise it may be the mirror. */
export function isVendorProblem(error: unknown): boolean {
  return (
    !(error instanceof GitFailure) ||
    PROBLEMS.some(({ pattern }) => pattern.test(error.output)) ||
    LOCAL_PROBLEM.test(withoutRemote(error.output))
  );
}

/** Git prefixes lines from the remote side this way. */
function withoutRemote(output: string): string {
  return output.replaceAll(/^remote: .*$/gm, '');
}

const NAMES: Readonly<Record<GitVendor, string>> = {
  'github-enterprise': 'GitHub Enterprise',
  bitbucket: 'Bitbucket',
  gitlab: 'GitLab',
  'azure-devops': 'Azure DevOps',
  other: 'The git vendor',
};

const LOCAL_PROBLEM = /No space left on device|Disk quota exceeded|Read-only file system|Permission denied/;

interface VendorLocation {
  readonly _vendor: string;
  readonly host: string;
}

const PROBLEMS: readonly { pattern: RegExp; isDenied?: true; sentence: (location: VendorLocation) => string }[] = [
  {
    pattern: /out of memory|cannot allocate memory|mmap failed|unable to create thread/i,
    sentence: () => codeSentence('historyMemory'),
  },
  { pattern: FILE_TOO_LARGE, sentence: () => codeSentence('historyTooLarge') },
  {
    pattern: /could not read (?:Username|Password)|Authentication failed|unable to read askpass response|error: 401/i,
    isDenied: true,
    sentence: (location) => codeSentence('vendorTokenRefused', location),
  },
  { pattern: /error: 403/i, isDenied: true, sentence: (location) => codeSentence('vendorAccessRefused', location) },
  { pattern: /repository '.*' not found|error: 404/i, isDenied: true, sentence: (location) => codeSentence('vendorMissing', location) },
  { pattern: /error: 30\d/i, sentence: (location) => codeSentence('vendorMoved', location) },
  { pattern: /error: 429/i, sentence: (location) => codeSentence('vendorRateLimited', location) },
  { pattern: /error: 5\d\d/i, sentence: (location) => codeSentence('vendorFailed', location) },
  { pattern: /could not resolve host/i, sentence: (location) => codeSentence('vendorUnresolved', location) },
  { pattern: /timed out|too slow|timeout was reached/i, sentence: (location) => codeSentence('vendorSlow', location) },
  {
    pattern: /failed to connect|couldn't connect|connection refused|empty reply|recv failure|connection (?:was )?reset/i,
    sentence: (location) => codeSentence('vendorUnresponsive', location),
  },
  { pattern: /certificate|\bSSL\b|\bTLS\b/i, sentence: (location) => codeSentence('vendorUntrusted', location) },
  { pattern: /is this a git repository/i, sentence: (location) => codeSentence('vendorWithoutGit', location) },
];

/** The user name that each vendor expects with an access token. */
const USERS: Readonly<Record<GitVendor, string>> = {
  'github-enterprise': 'x-access-token',
  bitbucket: 'x-token-auth',
  gitlab: 'oauth2',
  'azure-devops': 'token',
  other: 'token',
};

export interface VendorRemote {
  readonly cloneUrl: string;
  readonly vendor: GitVendor;
}

/** git's settings for one call of a vendor: it connects to the checked address, and identifies the client. */
export async function remoteSettings(
  { cloneUrl, vendor }: VendorRemote,
  token: string | undefined,
  { internalAddresses, lookup }: { internalAddresses: InternalAddresses; lookup: Resolve },
): Promise<string[]> {
  if (mayLeaveFolder(pathOf(cloneUrl))) throw new RepositoryProblem(codeSentence('cloneAddressPath'));
  if (internalAddresses === 'refuse') await requirePinning();
  const addresses = await resolveHost(cloneUrl, internalAddresses, lookup).catch((error: unknown) => {
    if (error instanceof RemoteFailure) throw new RepositoryProblem(codeSentence('cloneAddressUnreachable', { problem: error.message }));
    throw error;
  });
  const pinned = pinnedTo(cloneUrl, addresses);
  if (token === undefined) return pinned;
  const login = Buffer.from(`${USERS[vendor]}:${token}`).toString('base64');
  return [...pinned, `http.extraHeader=Authorization: Basic ${login}`];
}
