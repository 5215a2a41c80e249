import type { SiteName } from '#backend/domain/publishing/ports.ts';

export function without<T extends SiteName>(sites: readonly T[], others: readonly SiteName[]): T[] {
  const known = new Set(others.map(({ org, site }) => `${org}/${site}`));
  return sites.filter(({ org, site }) => !known.has(`${org}/${site}`));
}
