import { pinnedTo } from '../../git/pinned-to.ts';
import { requirePinning } from '../../git/run-git.ts';
import { resolveHost } from '../../remote/resolve-host.ts';
import { RemoteFailure } from '../../remote/remote.ts';
import type { InternalAddresses, Resolve } from '../../remote/guarded-lookup.ts';
import type { GitVendor } from '@repoless/contract/build-management.ts';
import { leadsElsewhere, pathOf } from '@repoless/contract/plain-path.ts';
import { RepositoryProblem } from './repository-problem.ts';

/** The user name that each vendor expects beside an access token. */
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

/** Settings of git for one call of a vendor: the address that was checked is the one that is connected to, and who calls. */
export async function remoteSettings(
  { cloneUrl, vendor }: VendorRemote,
  token: string | undefined,
  { internalAddresses, lookup }: { internalAddresses: InternalAddresses; lookup: Resolve },
): Promise<string[]> {
  if (leadsElsewhere(pathOf(cloneUrl)))
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
