import { endpoints, sitePartEndpoints } from '#contract/endpoints.ts';
import type { EndpointId, Endpoints } from '#contract/endpoints.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { SITE_PART_NAMES } from '#contract/site.ts';
import type { SitePart } from '#contract/site.ts';
import { bindCall } from './call.ts';
import type { Call } from './call.ts';
import type { TableVerbs, Verbs } from './ports.ts';

/** Every row of the table with its verb. */
export function tableCalls({ table, parts }: Verbs): Call[] {
  const ids = Object.keys(endpoints) as EndpointId[];
  return [...ids.map((id) => callOf(id, table)), ...SITE_PART_NAMES.flatMap((part) => partCalls(part, parts))];
}

function callOf<Id extends EndpointId>(id: Id, verbs: TableVerbs): Call {
  return bindCall<Endpoints[Id]>(endpoints[id], verbs[id]);
}

/** A verb of a part takes any part's input: its row has read the body by that part's schema. */
function partCalls(part: SitePart, parts: Verbs['parts']): Call[] {
  const rows = sitePartEndpoints[part];
  const verbs = parts(part);
  return [bindCall<Endpoint>(rows.get, verbs.get), bindCall<Endpoint>(rows.set, verbs.set), bindCall<Endpoint>(rows.remove, verbs.remove)];
}
