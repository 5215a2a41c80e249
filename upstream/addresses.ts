import { mayLeaveFolder } from '@repoless/contract/addresses.ts';
import { Refusal } from '@repoless/contract/refusal.ts';
import { printAddress } from '@repoless/core/api/client.ts';

/** The hosted service has two generations of addresses; both use the same documents. */
export type Generation = 5 | 6;

/** Every address of the hosted service that is used, for generation 5 (`admin.hlx.page`) and 6 (`api.aem.live`). */
const ADDRESSES = {
  org: ['/config/{org}.json', '/{org}/config.json'],
  orgPart: ['/config/{org}/{part*}.json', '/{org}/config/{part*}.json'],
  sites: ['/config/{org}/sites.json', '/{org}/sites'],
  site: ['/config/{org}/sites/{site}.json', '/{org}/sites/{site}/config.json'],
  sitePart: ['/config/{org}/sites/{site}/{part*}.json', '/{org}/sites/{site}/config/{part*}.json'],
  siteText: ['/config/{org}/sites/{site}/{part*}', '/{org}/sites/{site}/config/{part*}'],
  profiles: ['/config/{org}/profiles.json', '/{org}/profiles'],
  profile: ['/config/{org}/profiles/{profile}.json', '/{org}/profiles/{profile}/config.json'],
  profilePart: ['/config/{org}/profiles/{profile}/{part*}.json', '/{org}/profiles/{profile}/config/{part*}.json'],
  aggregate: ['/config/{org}/aggregated/{site}.json', '/{org}/aggregated/{site}/config.json'],
  code: ['/code/{owner}/{repo}/{ref}/*', '/{org}/repos/{site}/code/{ref}/*'],
  jobs: ['/job/{org}/{site}/{ref}/code', '/{org}/sites/{site}/jobs/code'],
  job: ['/job/{org}/{site}/{ref}/code/{name}', '/{org}/sites/{site}/jobs/code/{name}'],
  jobDetails: ['/job/{org}/{site}/{ref}/code/{name}/details', '/{org}/sites/{site}/jobs/code/{name}/details'],
  log: ['/log/{org}/{site}/{ref}', '/{org}/sites/{site}/log'],
  status: ['/status/{org}/{site}/{ref}', '/{org}/sites/{site}/status'],
  self: ['/profile', '/profile'],
  login: ['/login/{org}/{site}/{ref}', '/{org}/sites/{site}/login'],
} as const;
export type HostedAddress = keyof typeof ADDRESSES;

/** Whether an address belongs to the configuration, which only callers with a role may read; jobs and status of an open site are public. */
export function isOfConfiguration(name: HostedAddress): boolean {
  return ADDRESSES[name][0].startsWith('/config/');
}

/**
 * The header `x-api-upgrade-available` of this address says whether a site is served by generation 6. Only generation 5 has it, and it
 * answers 200 for any name.
 */
export const PING = '/ping/{org}/{site}';
export const UPGRADE_HEADER = 'x-api-upgrade-available';

/**
 * Returns the encoded path and query of an address, given its name, its parameters and the query. Refuses names that would lead to another
 * address with NAME_INVALID: those of a repository or a user come from a document that somebody else may have written.
 */
export function hostedPath(name: HostedAddress, generation: Generation, params: Readonly<Record<string, string>>, query?: object): string {
  const template = ADDRESSES[name][generation === 5 ? 0 : 1];
  if (mayLeaveFolder(printAddress(template, params)))
    throw new Refusal('NAME_INVALID', 'A name leads to another address of the hosted service: it may not be "." or "..".');
  return printAddress(template, params, query);
}
