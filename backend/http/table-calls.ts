import { type EndpointId, endpoints, type Endpoints, profilePartEndpoints, sitePartEndpoints } from '@repoless/contract/endpoints.ts';
import { PROFILE_PART_NAMES, type ProfilePart, SITE_PART_NAMES, type SitePart } from '@repoless/contract/site.ts';
import { getProfilePart, removeProfilePart, setProfilePart } from '../profiles/profile-operations.ts';
import { getSitePart, removeSitePart, setSitePart } from '../sites/site-operations.ts';
import { bindCall, type Call } from './call.ts';
import type { TableOperations } from './ports.ts';

type Rows = typeof sitePartEndpoints;
type ProfileRows = typeof profilePartEndpoints;

/** Every row of the table with its operation. */
export function tableCalls(operations: TableOperations): Call[] {
  return [
    ...endpointIds().map((id) => callOf(id, operations)),
    ...SITE_PART_NAMES.flatMap((part) => partCalls(part)),
    ...PROFILE_PART_NAMES.flatMap((part) => profilePartCalls(part)),
  ];
}

/** The cast is safe: the table is a constant whose keys are these identifiers, and nothing adds to it. */
function endpointIds(): EndpointId[] {
  return Object.keys(endpoints) as EndpointId[];
}

function callOf<Id extends EndpointId>(id: Id, operations: TableOperations): Call {
  return bindCall<Endpoints[Id]>(endpoints[id], operations[id]);
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
