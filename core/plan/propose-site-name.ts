import { DEFAULT_REF, HOST_LABEL_LIMIT, hostLabel, sanitizeRef } from '@repoless/contract/names.ts';

/**
 * Proposes a site name for a content path: its segments below `/content`, joined by hyphens, as long as DNS allows in the
 * given organization. `/content/wknd/ch/fr` becomes `wknd-ch-fr`; `''` where nothing usable is left.
 */
export function proposeSiteName(path: string, organization = ''): string {
  const name = sanitizeRef(path.replace(/^\/content(?=\/|$)/, ''));
  const room = HOST_LABEL_LIMIT - hostLabel(DEFAULT_REF, '', organization).length;
  return name.slice(0, Math.max(room, 0)).replace(/-+$/, '');
}
