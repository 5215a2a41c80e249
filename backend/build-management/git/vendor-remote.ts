import { resolveHost } from '#backend/remote/resolve-host.ts';
import { RemoteFailure } from '#backend/remote/remote.ts';
import type { InternalAddresses } from '#backend/remote/guarded-lookup.ts';
import type { Vendor } from '#contract/build-management.ts';
import { RepositoryProblem } from './repository-problem.ts';

/** The user name that each vendor expects beside an access token. */
const USERS: Readonly<Record<Vendor, string>> = {
  'github-enterprise': 'x-access-token',
  bitbucket: 'x-token-auth',
  gitlab: 'oauth2',
  'azure-devops': 'token',
  other: 'token',
};

export interface VendorRemote {
  readonly cloneUrl: string;
  readonly vendor: Vendor;
}

/** Settings of git for one call of a vendor: the address that was checked is the one that is connected to, and who calls. */
export async function remoteSettings(
  { cloneUrl, vendor }: VendorRemote,
  token: string | undefined,
  internal: InternalAddresses,
): Promise<string[]> {
  const [address] = await resolveHost(cloneUrl, internal).catch((error: unknown) => {
    if (error instanceof RemoteFailure) throw new RepositoryProblem(`${error.message} Check the clone address, then retry.`);
    throw error;
  });
  const { hostname, port, protocol } = new URL(cloneUrl);
  const at = port === '' ? (protocol === 'https:' ? '443' : '80') : port;
  const pinned = address === undefined ? [] : [`http.curloptResolve=${hostname}:${at}:${address}`];
  if (token === undefined) return pinned;
  const login = Buffer.from(`${USERS[vendor]}:${token}`).toString('base64');
  return [...pinned, `http.extraHeader=Authorization: Basic ${login}`];
}
