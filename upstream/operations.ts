import { partEndpointId } from '@repoless/contract/endpoints.ts';
import { PROFILE_PART_NAMES, SITE_PART_NAMES, type SitePart } from '@repoless/contract/site.ts';
import type { Operation } from './call.ts';
import { CHECK_OPERATIONS } from './checks.ts';
import { CODE_OPERATIONS } from './code.ts';
import { type Kind, ORG, PROFILE, SITE } from './document.ts';
import { documentOperations, partOperations } from './parts.ts';
import { LOG_OPERATIONS } from './log.ts';
import { ORGANIZATION_OPERATIONS } from './organization.ts';
import { ROLLOUT_OPERATIONS } from './rollouts.ts';
import { SESSION_OPERATIONS } from './credential.ts';
import { SITE_OPERATIONS } from './sites.ts';
import { CREDENTIAL_OPERATIONS } from './stored-credentials.ts';
import { versionOperations } from './versions.ts';

const sites = documentOperations(SITE);
const profiles = documentOperations(PROFILE);
const organizations = documentOperations(ORG);
const [siteVersions, profileVersions, orgVersions] = [versionOperations(SITE), versionOperations(PROFILE), versionOperations(ORG)];

/** The calls of the contract that the hosted service supports, by identifier. Others are NOT_OFFERED. */
export const OPERATIONS: Readonly<Record<string, Operation>> = {
  ...SESSION_OPERATIONS,
  ...SITE_OPERATIONS,
  ...ORGANIZATION_OPERATIONS,
  ...CREDENTIAL_OPERATIONS,
  ...CODE_OPERATIONS,
  ...ROLLOUT_OPERATIONS,
  ...CHECK_OPERATIONS,
  ...LOG_OPERATIONS,
  getSite: sites.get,
  putSite: sites.put,
  postSite: sites.post,
  deleteSite: sites.remove,
  getProfile: profiles.get,
  putProfile: profiles.put,
  postProfile: profiles.post,
  deleteProfile: profiles.remove,
  getOrg: organizations.get,
  putOrg: organizations.put,
  postOrg: organizations.post,
  listVersions: siteVersions.list,
  getVersion: siteVersions.get,
  compareVersions: siteVersions.compare,
  nameVersion: siteVersions.name,
  deleteVersion: siteVersions.remove,
  listProfileVersions: profileVersions.list,
  getProfileVersion: profileVersions.get,
  compareProfileVersions: profileVersions.compare,
  nameProfileVersion: profileVersions.name,
  deleteProfileVersion: profileVersions.remove,
  listOrgVersions: orgVersions.list,
  getOrgVersion: orgVersions.get,
  compareOrgVersions: orgVersions.compare,
  nameOrgVersion: orgVersions.name,
  deleteOrgVersion: orgVersions.remove,
  ...ofParts('Site', SITE, SITE_PART_NAMES),
  ...ofParts('Profile', PROFILE, PROFILE_PART_NAMES),
};

function ofParts(owner: 'Site' | 'Profile', kind: Kind, parts: readonly SitePart[]): Record<string, Operation> {
  return Object.fromEntries(
    // The hosted service has no editor configurations.
    parts.flatMap((part) => {
      if (part === 'editor') return [];
      const { get, set, remove } = partOperations(kind, () => part.split('/'));
      return [
        [partEndpointId(owner, part, 'get'), get],
        [partEndpointId(owner, part, 'set'), set],
        [partEndpointId(owner, part, 'remove'), remove],
      ];
    }),
  );
}
