import { type endpoints, sitePartEndpoints } from '@repoless/contract/endpoints.ts';
import type { SiteYamlName } from '@repoless/contract/site-parts.ts';
import { SiteInput, type SitePart } from '@repoless/contract/site.ts';
import type { ChangeRequest, ConfigView, StoredDocument } from '../changes/change.ts';
import {
  EDITOR,
  GROUP,
  readEntry,
  readPart,
  readRobots,
  removeEntry,
  removePart,
  removeRobots,
  replaceEntry,
  replacePart,
  replaceRobots,
} from '../changes/part-calls.ts';
import type { Context, Input, Operation, Outcome } from '../domain/context.ts';
import { etagOf } from '../domain/documents.ts';
import { Refusal, namesEtag } from '@repoless/contract/refusal.ts';
import { readVersion, refuseBody, restoring, visibleHistoryStart } from '../history/read-versions.ts';
import type { SiteName } from './check-site.ts';
import { findSite, partNotFound, shownSite } from './find-site.ts';
import { proposeMigration, storeMigration } from './migrate-site.ts';
import { changeSite, siteRequest, SITES } from './site-document.ts';

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
  const replacesWhole = ({ etag }: StoredDocument) => input.query.replace === true || namesEtag(input.ifMatch, etag);
  return await changeSite(context, {
    ...siteRequest(input),
    permission: 'config:write',
    action: 'put-site',
    creates: true,
    replacesWhole,
    next(present) {
      if (present === undefined || replacesWhole(present)) return body;
      if (!Object.keys(body).some((part) => !SET_BY_SERVICE.has(part))) throw nothingNamed();
      return { ...present.config, ...body };
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
    ...siteRequest(input),
    permission: 'config:write',
    action: 'post-site',
    creates: true,
    replacesWhole: () => true,
    next: () => body,
  });
};

/** Removes a site. Its history is retained, and a version of it can be restored. */
export const deleteSite: Operation<Rows['deleteSite']> = (context, input) =>
  changeSite(context, { ...siteRequest(input), permission: 'site:delete', action: 'delete-site', next: () => null });

export const getRobots: Operation<Rows['getRobots']> = readRobots(SITES);
export const setRobots: Operation<Rows['setRobots']> = replaceRobots(SITES, 'config:write');
export const deleteRobots: Operation<Rows['deleteRobots']> = removeRobots(SITES, 'config:write');

export const getSiteGroup: Operation<Rows['getSiteGroup']> = readEntry(SITES, GROUP);
export const setSiteGroup: Operation<Rows['setSiteGroup']> = replaceEntry(SITES, GROUP, 'access:write');
export const deleteSiteGroup: Operation<Rows['deleteSiteGroup']> = removeEntry(SITES, GROUP, 'access:write');

export const getSiteEditorEntry: Operation<Rows['getSiteEditorEntry']> = readEntry(SITES, EDITOR);
export const setSiteEditorEntry: Operation<Rows['setSiteEditorEntry']> = replaceEntry(SITES, EDITOR, 'config:write');
export const deleteSiteEditorEntry: Operation<Rows['deleteSiteEditorEntry']> = removeEntry(SITES, EDITOR, 'config:write');

export function getSitePart<P extends SitePart>(part: P): Operation<Parts[P]['get']> {
  return readPart(SITES, part);
}

/** Replaces one complete part of a site (calls 3, 4 and 5). The contract's table has its permission. */
export function setSitePart<P extends SitePart>(part: P): Operation<Parts[P]['set']> {
  return replacePart(SITES, part, sitePartEndpoints[part].set.permission);
}

/** Callers who may replace a part may remove it. */
export function removeSitePart<P extends SitePart>(part: P): Operation<Parts[P]['remove']> {
  return removePart(SITES, part, sitePartEndpoints[part].set.permission);
}

function restore(context: Context, input: Input<Rows['postSite']>, version: number): Promise<Outcome> {
  refuseBody(input.body);
  const subject = { kind: 'site', ...input.params } as const;
  return restoring(version, () =>
    changeSite(context, {
      ...siteRequest(input),
      permission: 'config:write',
      action: `restore-site/${version}`,
      creates: true,
      restores: version,
      replacesWhole: () => true,
      async next(_present, reads) {
        const begin = visibleHistoryStart(context.caller, 'people:read', await reads.orgAndSite(subject.org, subject.site));
        return await readVersion(reads, subject, version, SiteInput, begin);
      },
    }),
  );
}

/** A body that names no part would succeed without any effect. */
function nothingNamed(): Refusal {
  const sentence = 'The body contains no part of the site. Send the parts to change.';
  return new Refusal('BODY_INVALID', sentence, { errors: [{ pointer: '', detail: sentence }] });
}

const SET_BY_SERVICE: ReadonlySet<string> = new Set(['version', 'name', 'created', 'lastModified']);

type Write = ChangeRequest & { readonly params: SiteName; readonly body: string | undefined };

export const getSiteQueryYaml: Operation<Rows['getSiteQueryYaml']> = (context, { params }) => read(context, 'query', params);
export const putSiteQueryYaml: Operation<Rows['putSiteQueryYaml']> = (context, input) => write(context, 'query', input);
export const postSiteQueryYaml: Operation<Rows['postSiteQueryYaml']> = (context, input) => write(context, 'query', input);
export const deleteSiteQueryYaml: Operation<Rows['deleteSiteQueryYaml']> = (context, input) => remove(context, 'query', input);
export const getSiteSitemapYaml: Operation<Rows['getSiteSitemapYaml']> = (context, { params }) => read(context, 'sitemap', params);
export const putSiteSitemapYaml: Operation<Rows['putSiteSitemapYaml']> = (context, input) => write(context, 'sitemap', input);
export const postSiteSitemapYaml: Operation<Rows['postSiteSitemapYaml']> = (context, input) => write(context, 'sitemap', input);
export const deleteSiteSitemapYaml: Operation<Rows['deleteSiteSitemapYaml']> = (context, input) => remove(context, 'sitemap', input);

async function read(context: Context, name: SiteYamlName, params: SiteName): Promise<Outcome> {
  const text = viewOf(name).read((await findSite(context, params)).config);
  if (typeof text !== 'string') throw partNotFound(`${name}.yaml`, params);
  return { result: 'done', body: text, etag: etagOf(text), headers: MEDIA };
}

async function write(context: Context, name: SiteYamlName, input: Write): Promise<Outcome> {
  const { body } = input;
  if (body === undefined || body === '') {
    throw new Refusal('BODY_MISSING', 'missing body', { detail: `Send the text of ${name}.yaml as text/yaml; DELETE removes it.` });
  }
  const outcome = await changeSite(context, {
    ...siteRequest(input),
    permission: 'config:write',
    action: `set-content/${name}.yaml`,
    view: viewOf(name),
    createsPart: true,
    next: (present) => ({ ...present?.config, [name]: { yaml: body } }),
  });
  return input.query.dryRun === true ? outcome : { ...outcome, headers: { ...outcome.headers, ...MEDIA } };
}

function remove(context: Context, name: SiteYamlName, input: Omit<Write, 'body'>): Promise<Outcome> {
  return changeSite(context, {
    ...siteRequest(input),
    permission: 'config:write',
    action: `delete-content/${name}.yaml`,
    view: viewOf(name),
    next: (present) => {
      if (present?.config[name] === undefined) throw partNotFound(`${name}.yaml`, input.params);
      const { [name]: _gone, ...rest } = present.config;
      return rest;
    },
  });
}

/** Only the text, which is not JSON. */
function viewOf(name: SiteYamlName): ConfigView {
  return { pointer: `/${name}/yaml`, read: (config) => config[name]?.yaml };
}

const MEDIA = { 'content-type': 'text/yaml; charset=utf-8' } as const;
