import { sitePartEndpoints } from '#contract/endpoints.ts';
import type { endpoints } from '#contract/endpoints.ts';
import type { SitePart } from '#contract/site.ts';
import type { DocumentKind } from '../changes/document-kind.ts';
import { readGroup, removeGroup, replaceGroup } from '../changes/group-calls.ts';
import { readPart, removePart, replacePart } from '../changes/part-calls.ts';
import { readRobots, removeRobots, replaceRobots } from '../changes/robots-calls.ts';
import type { Operation } from '../operation.ts';
import { changeSite, siteRequest } from './change-site.ts';
import type { SiteName } from './check-site.ts';
import { partNotFound } from './find-site.ts';
import { shownSite } from './shown-site.ts';

type Rows = typeof endpoints;
type Parts = typeof sitePartEndpoints;

/** Sites, as documents that are changed whole or by their parts. */
const SITES: DocumentKind<SiteName> = {
  find: shownSite,
  partMissing: partNotFound,
  change: (context, { org, site }, change) => changeSite(context, { name: { org, site }, ...change }),
};

/** Removes a site. Its history is kept, and a version of it can be restored. */
export const deleteSite: Operation<Rows['deleteSite']> = (context, input) =>
  changeSite(context, { ...siteRequest(input), permission: 'site:delete', action: 'delete-site', next: () => null });

export const getRobots: Operation<Rows['getRobots']> = readRobots(SITES);
export const setRobots: Operation<Rows['setRobots']> = replaceRobots(SITES, 'config:write');
export const deleteRobots: Operation<Rows['deleteRobots']> = removeRobots(SITES, 'config:write');

export const getSiteGroup: Operation<Rows['getSiteGroup']> = readGroup(SITES);
export const setSiteGroup: Operation<Rows['setSiteGroup']> = replaceGroup(SITES, 'access:write');
export const deleteSiteGroup: Operation<Rows['deleteSiteGroup']> = removeGroup(SITES, 'access:write');

export function getSitePart<P extends SitePart>(part: P): Operation<Parts[P]['get']> {
  return readPart(SITES, part);
}

/** The replacing of one part of a site, whole (calls 3, 4 and 5). What it asks for is in the contract's table. */
export function setSitePart<P extends SitePart>(part: P): Operation<Parts[P]['set']> {
  return replacePart(SITES, part, sitePartEndpoints[part].set.permission);
}

/** Whoever may replace a part may remove it. */
export function removeSitePart<P extends SitePart>(part: P): Operation<Parts[P]['remove']> {
  return removePart(SITES, part, sitePartEndpoints[part].set.permission);
}
