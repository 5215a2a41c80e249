import { partEndpointId } from '@repoless/contract/endpoints.ts';
import { PROFILE_PART_NAMES, SITE_PART_NAMES, type SitePart } from '@repoless/contract/site.ts';
import { defined } from '@repoless/contract/json.ts';
import type { Profile } from '@repoless/contract/session.ts';
import { RoleName } from '@repoless/contract/access.ts';
import { parseJson } from '@repoless/core/api/exchange.ts';
import { z } from 'zod';
import { callHosted, type Call, type Operation, unreadable } from './call.ts';
import { refusalOf } from './refusals.ts';
import { CHECK_OPERATIONS } from './checks.ts';
import { CODE_OPERATIONS } from './code.ts';
import { documentOperations, partOperations } from './parts.ts';
import { LOG_OPERATIONS } from './log.ts';
import { ORGANIZATION_OPERATIONS } from './organization.ts';
import { ROLLOUT_OPERATIONS } from './rollouts.ts';
import { SITE_OPERATIONS } from './sites.ts';
import { CREDENTIAL_OPERATIONS } from './stored-credentials.ts';
import { versionOperations } from './versions.ts';
import { type Kind, ORG, PROFILE, SITE } from './document.ts';

const sites = documentOperations(SITE);
const profiles = documentOperations(PROFILE);
const organizations = documentOperations(ORG);
const [siteVersions, profileVersions, orgVersions] = [versionOperations(SITE), versionOperations(PROFILE), versionOperations(ORG)];

/** The calls of the contract that the hosted service supports, by identifier. Others are NOT_OFFERED. */
export const OPERATIONS: Readonly<Record<string, Operation>> = {
  getService: async ({ options }) => ({ status: 200, body: options.info }),
  profile: async (call) => ({ status: 200, body: { status: 200, profile: await profileOf(call), links: {} } }),
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

/**
 * Who the caller is. The hosted service answers 200 for an API key even if it is not registered: its permissions show only in actual calls.
 */
async function profileOf(call: Call): Promise<Profile> {
  const { credential, options } = call;
  const answer = await callHosted(call, 'self', {});
  if (answer.status !== 200) throw refusalOf(answer, { org: '', credential });
  const found = Self.safeParse(parseJson(answer.text)).data?.profile;
  // What a token says about itself counts only once the hosted service has accepted it.
  if (found === undefined) throw unreadable();
  const now = Math.floor(options.now().getTime() / 1000);
  const exp = Math.floor(found.exp ?? credential?.expires ?? now);
  const common = { iss: found.iss ?? options.service, iat: Math.floor(found.iat ?? now), exp, ttl: Math.floor(found.ttl ?? exp - now) };
  if (credential?.kind === 'api-key') {
    const roles = (credential.roles ?? []).flatMap((role) => RoleName.safeParse(role).data ?? []);
    const { id = '', subject = '' } = credential;
    return { ...common, email: `api-key:${id}`, apiKey: { id, subject: subject.replace(/\/$/, '/*'), roles } };
  }
  const { name, user_id: userId, preferred_username: preferred } = found;
  return {
    ...common,
    email: found.email ?? credential?.email ?? '',
    ...defined({ name, user_id: userId, preferred_username: preferred }),
  };
}

const Self = z.object({
  profile: z.looseObject({
    email: z.string().optional(),
    name: z.string().optional(),
    user_id: z.string().optional(),
    preferred_username: z.string().optional(),
    iss: z.string().optional(),
    iat: z.number().optional(),
    exp: z.number().optional(),
    ttl: z.number().optional(),
  }),
});
