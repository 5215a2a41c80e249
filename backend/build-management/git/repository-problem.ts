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
  override readonly name = 'RepositoryGone';

  constructor() {
    super('The repository was removed.');
  }
}

/** Turns an error of git into a message for the person who adds the repository. Other errors are returned unchanged. */
export function repositoryProblem(error: unknown, { vendor, cloneUrl }: VendorRemote): unknown {
  const name = `${NAMES[vendor]} (${new URL(cloneUrl).host})`;
  if (error instanceof Error && error.name === 'TimeoutError')
    return new RepositoryProblem(`${name} did not respond in time. Retry in a minute.`);
  if (error instanceof GitUnusable) return new RepositoryProblem(error.message, { cause: error });
  if (error instanceof GitPrintedTooMuch) return new RepositoryProblem(TOO_MANY_BRANCHES, { cause: error });
  if (!(error instanceof GitFailure)) return error;
  const known = PROBLEMS.find(({ sign }) => sign.test(error.said));
  if (known !== undefined) return new RepositoryProblem(known.sentence(name), { isDenied: known.isDenied === true });
  if (OWN.test(withoutRemote(error.said))) return new RepositoryProblem(NO_STORAGE);
  return new RepositoryProblem(`The transfer from ${name} broke off. Retry in a minute.`);
}

/** Whether the vendor is certainly the cause; otherwise it may be the mirror. */
export function isVendors(error: unknown): boolean {
  return !(error instanceof GitFailure) || PROBLEMS.some(({ sign }) => sign.test(error.said)) || OWN.test(withoutRemote(error.said));
}

/** Git prefixes lines from the remote side this way. */
function withoutRemote(said: string): string {
  return said.replaceAll(/^remote: .*$/gm, '');
}

const NAMES: Readonly<Record<GitVendor, string>> = {
  'github-enterprise': 'GitHub Enterprise',
  bitbucket: 'Bitbucket',
  gitlab: 'GitLab',
  'azure-devops': 'Azure DevOps',
  other: 'The git vendor',
};

const TOO_MANY_BRANCHES = 'The repository has too many branches to be listed. Remove branches, then retry.';
const OWN = /No space left on device|Disk quota exceeded|Read-only file system|Permission denied/;
const NO_STORAGE = 'Build management cannot store its copy of the repository: its disk is full or not writable. Tell its operator.';

const PROBLEMS: readonly { sign: RegExp; isDenied?: true; sentence: (vendor: string) => string }[] = [
  {
    sign: /out of memory|cannot allocate memory|mmap failed|unable to create thread/i,
    sentence: () => 'Reading the repository takes more memory than this service allows. Remove large files from its history, then retry.',
  },
  {
    sign: FILE_TOO_LARGE,
    sentence: () => 'The repository is larger than this service takes. Remove large files from its history, then retry.',
  },
  {
    sign: /could not read (?:Username|Password)|Authentication failed|unable to read askpass response|error: 401/i,
    isDenied: true,
    sentence: (vendor) =>
      `${vendor} refuses the access token (401). Create a new one with read access to the repository, then retry with it.`,
  },
  {
    sign: /error: 403/i,
    isDenied: true,
    sentence: (vendor) => `${vendor} says that the access token cannot read the repository (403). Give it read access there, then retry.`,
  },
  {
    sign: /repository '.*' not found|error: 404/i,
    isDenied: true,
    sentence: (vendor) => `${vendor} has no repository at this address, or the access token cannot read it (404). Check both, then retry.`,
  },
  {
    sign: /error: 30\d/i,
    sentence: (vendor) => `${vendor} redirects to another clone address. Onboard the repository with that address.`,
  },
  { sign: /error: 429/i, sentence: (vendor) => `${vendor} received too many requests (429). Retry in a few minutes.` },
  {
    sign: /error: 5\d\d/i,
    sentence: (vendor) => `${vendor} does not respond as expected (a server error). Retry in a minute.`,
  },
  {
    sign: /could not resolve host/i,
    sentence: (vendor) => `The host name of ${vendor} cannot be resolved. Check the clone address, then retry.`,
  },
  { sign: /timed out|too slow|timeout was reached/i, sentence: (vendor) => `${vendor} did not respond in time. Retry in a minute.` },
  {
    sign: /failed to connect|couldn't connect|connection refused|empty reply|recv failure|connection (?:was )?reset/i,
    sentence: (vendor) => `${vendor} does not respond. Check the clone address, then retry in a minute.`,
  },
  {
    sign: /certificate|\bSSL\b|\bTLS\b/i,
    sentence: (vendor) => `The certificate of ${vendor} is not trusted here. Ask its administrator for a valid one.`,
  },
  {
    sign: /is this a git repository/i,
    sentence: (vendor) => `${vendor} answers at this address, but not as a git repository. Check the clone address, then retry.`,
  },
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
  if (mayLeaveFolder(pathOf(cloneUrl)))
    throw new RepositoryProblem(
      'The path of the clone address has special characters. Remove the repository, and onboard it again with a plain address.',
    );
  if (internalAddresses === 'refuse') await requirePinning();
  const addresses = await resolveHost(cloneUrl, internalAddresses, lookup).catch((error: unknown) => {
    if (error instanceof RemoteFailure) throw new RepositoryProblem(`${error.message} Check the clone address, then retry.`);
    throw error;
  });
  const pinned = pinnedTo(cloneUrl, addresses);
  if (token === undefined) return pinned;
  const login = Buffer.from(`${USERS[vendor]}:${token}`).toString('base64');
  return [...pinned, `http.extraHeader=Authorization: Basic ${login}`];
}
