import { mappedPage } from '../situation/mapped-page.ts';
import { isSpreadsheet } from './authoring-steps.ts';
import type { CreatedPage, Situation } from '../situation/situation.ts';

/**
 * The paths of the configuration pages that applies made. A record that does not name them may mean the page that the site maps
 * alone, and not the one that was mapped before.
 */
export function createdPagePaths({
  settings,
  site,
  previousSite,
}: Pick<Situation, 'settings' | 'site' | 'previousSite'>): readonly string[] {
  const { previous, siteRoot } = settings;
  if (previous?.configurationPages !== undefined) return previous.configurationPages;
  if (previous?.configurationPageCreated !== true || site.state !== 'known') return [];
  if (previous.siteVersion !== null && previousSite?.state !== 'known') return [];
  const mapped = mappedPage(site.value.config);
  const before = previousSite?.state === 'known' ? mappedPage(previousSite.value) : undefined;
  return mapped === undefined || mapped === before || !mapped.startsWith(`${siteRoot}/`) ? [] : [mapped];
}

/** The pages that an undo may remove: a page that is of another kind by now belongs to somebody. */
export function pagesToRemove({ createdPages = [] }: Pick<Situation, 'createdPages'>): readonly CreatedPage[] {
  return createdPages.filter(({ page }) => page.state !== 'known' || isSpreadsheet(page.value.resourceType));
}
