import { parseDeliveryAddress } from '@repoless/contract/addresses.ts';
import type { SourceName } from '@repoless/contract/source-names.ts';
import { addressProblem, ambiguousCharacter, leadsElsewhere } from '@repoless/contract/plain-path.ts';
import { mediaType } from './media-types.ts';

export interface PageAddress {
  readonly origin: string;
  /** As it is requested. */
  readonly path: string;
  /**
   * The query of the content source together with that of its suffix, with the `?`; empty if there is none. It may contain a credential, so it is
   * never shown.
   */
  readonly query: string;
  /** What it is taken for where the source does not say. */
  readonly media: string;
  /** What every page of the site lies below, with a final slash. */
  readonly below: string;
  /** Whether this is the delivery address of this very site, which the service's own account may read. */
  readonly isOwn: boolean;
}

/**
 * Where a content path is asked for. In: the address of the content source, whose site it is, and what the content is
 * called there. Undefined where no program could be trusted to find the page there and nowhere else: the address and the mappings may
 * have been stored before that was checked.
 */
export function pageAddress(
  source: string,
  site: { readonly org: string; readonly site: string },
  name: SourceName,
): PageAddress | undefined {
  const { path } = name;
  if (addressProblem(source) !== undefined || ambiguousCharacter(path) !== undefined || leadsElsewhere(path)) return undefined;
  const { origin, pathname, search } = new URL(source);
  const below = `${pathname.replace(/\/+$/, '')}/`;
  const asked = new URL(`${origin}${below.slice(0, -1)}${encodeURI(path)}`);
  if (asked.origin !== origin || !asked.pathname.startsWith(below)) return undefined;
  const delivery = parseDeliveryAddress(`${origin}${below}`);
  const media = name.isPage ? 'text/html; charset=utf-8' : mediaType(path);
  const isOwn = delivery?.org === site.org && delivery.site === site.site;
  return { origin, path: asked.pathname, query: mergedQuery(search.slice(1), name.query), media, below, isOwn };
}

/** Of a name that both have, that of the suffix counts. As they are written: some sources tell "+" from "%20". */
function mergedQuery(source: string, suffix: string): string {
  const own = parametersOf(suffix);
  const names = new Set(own.map(nameOf));
  const all = [...parametersOf(source).filter((parameter) => !names.has(nameOf(parameter))), ...own];
  return all.length === 0 ? '' : `?${all.join('&')}`;
}

function parametersOf(query: string): string[] {
  return query.split('&').filter((parameter) => parameter !== '');
}

function nameOf(parameter: string): string {
  return parameter.split('=', 1)[0] ?? '';
}
