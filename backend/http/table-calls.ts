import { endpoints, profilePartEndpoints, sitePartEndpoints } from '#contract/endpoints.ts';
import type { EndpointId, Endpoints } from '#contract/endpoints.ts';
import { PROFILE_PART_NAMES } from '#contract/profile.ts';
import type { ProfilePart } from '#contract/profile.ts';
import { SITE_PART_NAMES } from '#contract/site.ts';
import type { SitePart } from '#contract/site.ts';
import { getProfilePart, removeProfilePart, setProfilePart } from '#backend/domain/profiles/profile-verbs.ts';
import { getSitePart } from '#backend/domain/sites/get-site-part.ts';
import { removeSitePart } from '#backend/domain/sites/remove-site-part.ts';
import { setSitePart } from '#backend/domain/sites/set-site-part.ts';
import { bindCall } from './call.ts';
import type { Call } from './call.ts';
import type { TableVerbs } from './ports.ts';

type Rows = typeof sitePartEndpoints;
type ProfileRows = typeof profilePartEndpoints;

/** Every row of the table with its verb. */
export function tableCalls(verbs: TableVerbs): Call[] {
  return [
    ...endpointIds().map((id) => callOf(id, verbs)),
    ...SITE_PART_NAMES.flatMap((part) => partCalls(part)),
    ...PROFILE_PART_NAMES.flatMap((part) => profilePartCalls(part)),
  ];
}

/** The cast is safe: the table is a constant whose keys are these identifiers, and nothing adds to it. */
function endpointIds(): EndpointId[] {
  return Object.keys(endpoints) as EndpointId[];
}

function callOf<Id extends EndpointId>(id: Id, verbs: TableVerbs): Call {
  return bindCall<Endpoints[Id]>(endpoints[id], verbs[id]);
}

function partCalls<P extends SitePart>(part: P): Call[] {
  const { get, set, remove }: Rows[P] = sitePartEndpoints[part];
  return [
    bindCall<Rows[P]['get']>(get, getSitePart(part)),
    bindCall<Rows[P]['set']>(set, setSitePart(part)),
    bindCall<Rows[P]['remove']>(remove, removeSitePart(part)),
  ];
}

function profilePartCalls<P extends ProfilePart>(part: P): Call[] {
  const { get, set, remove }: ProfileRows[P] = profilePartEndpoints[part];
  return [
    bindCall<ProfileRows[P]['get']>(get, getProfilePart(part)),
    bindCall<ProfileRows[P]['set']>(set, setProfilePart(part)),
    bindCall<ProfileRows[P]['remove']>(remove, removeProfilePart(part)),
  ];
}
