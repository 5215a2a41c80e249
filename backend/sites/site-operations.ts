import { type endpoints, sitePartEndpoints } from '@repoless/contract/endpoints.ts';
import { SiteInput, type SitePart } from '@repoless/contract/site.ts';
import type { StoredDocument } from '../changes/change.ts';
import { requestOf } from '../changes/change-document.ts';
import { editorPart, groupPart, partCalls, robotsPart, sitePart, yamlPart } from '../changes/part-calls.ts';
import type { Context, Input, Operation, Outcome } from '../domain/context.ts';
import { bodyInvalid, namesEtag, Refusal } from '@repoless/contract/refusal.ts';
import { restoreVersion, visibleHistoryStart } from '../history/read-versions.ts';
import { shownSite } from './find-site.ts';
import { proposeMigration, storeMigration } from './migrate-site.ts';
import { changeSite, SITES } from './site-document.ts';

type Rows = typeof endpoints;
type Parts = typeof sitePartEndpoints;

/** The site as its caller may see it, or what its repository would turn it into. */
export const getSite: Operation<Rows['getSite']> = async (context, { params, query }) => {
  if (query.migrate === true) return await proposeMigration(context, params, query);
  const { config, etag } = await shownSite(context, params);
  return { result: 'done', body: config, etag };
};

/**
 * Creates a site, or updates the named parts of an existing one (call 1): the other parts stay. `?replace=true`, or an `if-match` of the
 * complete stored site, replaces it completely. Or migrates it from its repository. Rule: docs/contract.md 3.1.
 */
export const putSite: Operation<Rows['putSite']> = async (context, input) => {
  if (input.query.migrate === true) return await storeMigration(context, input);
  const { body } = input;
  if (body === undefined)
    throw new Refusal('BODY_UNPARSABLE', 'error parsing request body', { detail: 'Send the site, or ?migrate=true.' });
  const { ifMatch } = input;
  const replacesDocument = ({ etag }: StoredDocument) =>
    input.query.replace === true || (ifMatch !== undefined && namesEtag(ifMatch, etag));
  return await changeSite(context, {
    permission: 'config:write',
    ...requestOf(SITES, input),
    action: 'put-site',
    creates: true,
    replacesDocument,
    next(current) {
      if (current === undefined || replacesDocument(current)) return body;
      if (!Object.keys(body).some((part) => !SET_BY_SERVICE.has(part)))
        throw bodyInvalid('', 'The body contains no part of the site. Send the parts to change.');
      return { ...current.config, ...body };
    },
  });
};

/** Registers a further site for the same repository (call 2), replaces a site completely, or restores a version of it. */
export const postSite: Operation<Rows['postSite']> = (context, input) => {
  const version = input.query.restoreVersion;
  if (version !== undefined) return restore(context, input, version);
  if (input.query.migrate === true) return storeMigration(context, input);
  const { body } = input;
  if (body === undefined)
    throw new Refusal('BODY_MISSING', 'missing body', { detail: 'Send the site, ?migrate=true, or ?restoreVersion=<number>.' });
  return changeSite(context, {
    permission: 'config:write',
    ...requestOf(SITES, input),
    action: 'post-site',
    creates: true,
    replacesDocument: () => true,
    next: () => body,
  });
};

/** Removes a site. Its history is retained, and a version of it can be restored. */
export const deleteSite: Operation<Rows['deleteSite']> = (context, input) =>
  changeSite(context, { ...requestOf(SITES, input), permission: 'site:delete', action: 'delete-site', next: () => null });

const robots = partCalls(SITES, 'config:write', robotsPart);
const group = partCalls(SITES, 'access:write', groupPart);
const editor = partCalls(SITES, 'config:write', editorPart);
const queryYaml = partCalls(SITES, 'config:write', () => yamlPart('query'));
const sitemapYaml = partCalls(SITES, 'config:write', () => yamlPart('sitemap'));

export const getRobots: Operation<Rows['getRobots']> = robots.get;
export const setRobots: Operation<Rows['setRobots']> = robots.set;
export const deleteRobots: Operation<Rows['deleteRobots']> = robots.remove;
export const getSiteGroup: Operation<Rows['getSiteGroup']> = group.get;
export const setSiteGroup: Operation<Rows['setSiteGroup']> = group.set;
export const deleteSiteGroup: Operation<Rows['deleteSiteGroup']> = group.remove;
export const getSiteEditorEntry: Operation<Rows['getSiteEditorEntry']> = editor.get;
export const setSiteEditorEntry: Operation<Rows['setSiteEditorEntry']> = editor.set;
export const deleteSiteEditorEntry: Operation<Rows['deleteSiteEditorEntry']> = editor.remove;
export const getSiteQueryYaml: Operation<Rows['getSiteQueryYaml']> = queryYaml.get;
export const putSiteQueryYaml: Operation<Rows['putSiteQueryYaml']> = queryYaml.set;
export const postSiteQueryYaml: Operation<Rows['postSiteQueryYaml']> = queryYaml.set;
export const deleteSiteQueryYaml: Operation<Rows['deleteSiteQueryYaml']> = queryYaml.remove;
export const getSiteSitemapYaml: Operation<Rows['getSiteSitemapYaml']> = sitemapYaml.get;
export const putSiteSitemapYaml: Operation<Rows['putSiteSitemapYaml']> = sitemapYaml.set;
export const postSiteSitemapYaml: Operation<Rows['postSiteSitemapYaml']> = sitemapYaml.set;
export const deleteSiteSitemapYaml: Operation<Rows['deleteSiteSitemapYaml']> = sitemapYaml.remove;

/** Calls 3, 4 and 5. The contract's table has the permission; callers who may replace a part may remove it. */
function callsOf(part: SitePart) {
  return partCalls(SITES, sitePartEndpoints[part].set.permission, () => sitePart(part));
}

export function getSitePart<P extends SitePart>(part: P): Operation<Parts[P]['get']> {
  return callsOf(part).get;
}

export function setSitePart<P extends SitePart>(part: P): Operation<Parts[P]['set']> {
  return callsOf(part).set;
}

export function removeSitePart<P extends SitePart>(part: P): Operation<Parts[P]['remove']> {
  return callsOf(part).remove;
}

function restore(context: Context, input: Input<Rows['postSite']>, version: number): Promise<Outcome> {
  const { org, site } = input.params;
  return restoreVersion(context, SITES, input, version, {
    permission: 'config:write',
    action: `restore-site/${version}`,
    creates: true,
    replacesDocument: () => true,
    schema: SiteInput,
    historyStart: async (reads) => visibleHistoryStart(context.caller, 'people:read', await reads.orgAndSite(org, site)),
  });
}

const SET_BY_SERVICE: ReadonlySet<string> = new Set(['version', 'name', 'created', 'lastModified']);
