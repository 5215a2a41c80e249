import type { DocumentKind } from '../changes/document-kind.ts';
import { changeSite } from './change-site.ts';
import type { SiteName } from './check-site.ts';
import { partNotFound } from './find-site.ts';
import { shownSite } from './shown-site.ts';

/** Sites, as documents that are changed whole or by their parts. */
export const SITES: DocumentKind<SiteName> = {
  find: shownSite,
  partMissing: partNotFound,
  change: (context, { org, site }, change) => changeSite(context, { name: { org, site }, ...change }),
};
