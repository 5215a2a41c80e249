import { sitePartEndpoints } from '@repoless/contract/endpoints.ts';
import type { endpoints } from '@repoless/contract/endpoints.ts';
import { SiteInput } from '@repoless/contract/site.ts';
import type { SitePart } from '@repoless/contract/site.ts';
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
import type { Input, Operation, Outcome } from '../domain/operation.ts';
import type { StoredDocument } from '../changes/change.ts';
import { Refusal } from '../domain/errors.ts';
import { namesEtag } from '../domain/preconditions.ts';
import type { Context } from '../domain/context.ts';
import { visibleHistoryStart } from '../history/subject.ts';
import { readVersion, refuseBody, restoring } from '../history/read-versions.ts';
import { changeSite, siteRequest, SITES } from './site-document.ts';
import { shownSite } from './find-site.ts';
import { proposeMigration, storeMigration } from './migrate-site.ts';

type Rows = typeof endpoints;
type Parts = typeof sitePartEndpoints;

/** The site as its caller may see it, or what its repository would make of it. */
export const getSite: Operation<Rows['getSite']> = async (context, { params, query }) => {
  if (query.migrate === true) return await proposeMigration(context, params, query);
  const { config, etag } = await shownSite(context, params);
  return { result: 'done', body: config, etag };
};

/**
 * Creates a site, or updates what the body names of one that is there (call 1): the other parts stay. `?replace=true`, or an
 * `if-match` of the whole site as it is stored, replaces it whole. Or takes it from its repository. Rule: docs/contract.md 3.1.
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

/** Registers a further site for the same repository (call 2), replaces a site whole, or restores a version of it. */
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

/** Removes a site. Its history is kept, and a version of it can be restored. */
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

/** The replacing of one part of a site, whole (calls 3, 4 and 5). What it asks for is in the contract's table. */
export function setSitePart<P extends SitePart>(part: P): Operation<Parts[P]['set']> {
  return replacePart(SITES, part, sitePartEndpoints[part].set.permission);
}

/** Whoever may replace a part may remove it. */
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

/** A body that names no part asks for nothing, and would be a success that does nothing. */
function nothingNamed(): Refusal {
  const sentence = 'The body contains no part of the site. Send the parts to change.';
  return new Refusal('BODY_INVALID', sentence, { errors: [{ pointer: '', detail: sentence }] });
}

const SET_BY_SERVICE: ReadonlySet<string> = new Set(['version', 'name', 'created', 'lastModified']);
