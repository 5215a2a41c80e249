import { parseDeliveryAddress } from '#contract/addresses.ts';
import { addressProblem, ambiguousCharacter, leadsElsewhere } from '#contract/plain-path.ts';

export interface PageAddress {
  readonly origin: string;
  /** As it is requested. */
  readonly path: string;
  /** What every page of the site lies below, with a final slash. */
  readonly below: string;
  /** Whether this is the delivery address of this very site, which the service's own account may read. */
  readonly isOwn: boolean;
}

/**
 * Where a content path is asked for. In: the address of the content source, whose site it is, and the content path with its
 * ending. Undefined where no program could be trusted to find the page there and nowhere else: the address and the mappings may
 * have been stored before that was checked.
 */
export function pageAddress(source: string, site: { readonly org: string; readonly site: string }, path: string): PageAddress | undefined {
  if (addressProblem(source) !== undefined || ambiguousCharacter(path) !== undefined || leadsElsewhere(path)) return undefined;
  const { origin, pathname } = new URL(source);
  const below = `${pathname.replace(/\/+$/, '')}/`;
  const asked = new URL(`${origin}${below.slice(0, -1)}${encodeURI(path)}`);
  if (asked.origin !== origin || !asked.pathname.startsWith(below)) return undefined;
  const delivery = parseDeliveryAddress(`${origin}${below}`);
  return { origin, path: asked.pathname, below, isOwn: delivery?.org === site.org && delivery.site === site.site };
}
