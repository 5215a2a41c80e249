import type { Access } from '@repoless/contract/access.ts';
import { changedDelivery, parseDeliveryAddress } from '@repoless/contract/addresses.ts';
import { sameValue } from '@repoless/contract/same-value.ts';
import { parseMapping, printMapping } from '@repoless/contract/mappings.ts';
import type { ContentSource, PublicConfig, Site } from '@repoless/contract/site.ts';
import type { DecidedSite } from '../plan/desired-site.ts';
import { withoutDoubles } from '../plan/propose-choices.ts';
import type { PathChange, RowMove, SiteRow } from './rows.ts';
import { authorOf } from './site-index.ts';

/**
 * What changes with a site's environment: content paths and the technical account. Everything else stays as stored, including changes since the
 * move was planned. Takes the site at either end of its move; one that has arrived is unchanged.
 */
export function movedSite(row: SiteRow, move: RowMove, present: Site): Pick<DecidedSite, 'public' | 'access'> {
  // Where a new path lies below an old one, to change it once more would change it twice.
  const paths = authorOf(present) === move.from ? move.paths : [];
  return { public: movedPublic(paths, present.public ?? {}), access: movedAccess(row, move, present.access ?? {}) };
}

/** The path in the other environment: by the longest prefix that fits, else the same. A trailing slash stays. */
export function movedPath(path: string, changes: readonly PathChange[]): string {
  const fitting = changes.filter(({ from }) => path === from || path.startsWith(`${from}/`));
  const [longest] = fitting.toSorted((one, other) => other.from.length - one.from.length);
  return longest === undefined ? path : `${longest.to}${path.slice(longest.from.length)}`;
}

export function movedMappings(mappings: readonly string[], changes: readonly PathChange[]): string[] {
  return mappings.map((text) => {
    const mapping = parseMapping(text);
    return 'problem' in mapping ? text : printMapping({ ...mapping, content: movedPath(mapping.content, changes) });
  });
}

/** An overlay of the same author moves along; one from elsewhere has nothing to do with it. */
export function movedOverlay(overlay: ContentSource['overlay'], from: string, to: string): ContentSource['overlay'] {
  const held = overlay === undefined ? undefined : parseDeliveryAddress(overlay.url);
  if (overlay === undefined || held?.author !== from) return overlay;
  return { ...overlay, url: changedDelivery(overlay.url, { author: to }) ?? overlay.url };
}

function movedPublic(changes: readonly PathChange[], present: PublicConfig): PublicConfig {
  const { mappings, includes, excludes, ...others } = present.paths ?? {};
  const moved = (paths: readonly string[]) => [...new Set(paths.map((path) => movedPath(path, changes)))];
  return {
    ...present,
    paths: {
      ...others,
      ...(mappings === undefined ? {} : { mappings: movedMappings(mappings, changes) }),
      ...(includes === undefined ? {} : { includes: moved(includes) }),
      ...(excludes === undefined ? {} : { excludes: moved(excludes) }),
    },
  };
}

/** The new account has each role that the old one had, and may publish in any case. */
function movedAccess({ technicalAccount }: SiteRow, { account, publishers: inherited }: RowMove, present: Access): Access {
  const isOld = (name: string) => account !== undefined && technicalAccount !== '' && name.toLowerCase() === account.toLowerCase();
  const swapped = (members: readonly string[] = []) =>
    members.some(isOld) ? withoutDoubles(members.map((name) => (isOld(name) ? technicalAccount : name))) : [...members];
  const role = present.admin?.role;
  const roles = Object.fromEntries(Object.entries(role ?? {}).map(([name, members]) => [name, swapped(members)]));
  const before = role?.config_admin ?? inherited;
  const publishers = swapped(before);
  const isListed = technicalAccount === '' || publishers.some((name) => name.toLowerCase() === technicalAccount.toLowerCase());
  const after = isListed ? publishers : [...publishers, technicalAccount];
  if (role?.config_admin === undefined && sameValue(before ?? [], after)) return present;
  return { ...present, admin: { ...present.admin, role: { ...roles, config_admin: after } } };
}
