import type { endpoints } from '#contract/endpoints.ts';
import type { StoredDocument } from '../changes/change.ts';
import { Refusal } from '../errors.ts';
import { namesEtag } from '../preconditions.ts';
import type { Operation } from '../operation.ts';
import { siteRequest, changeSite } from './change-site.ts';
import { storeMigration } from './migrate-site.ts';

/**
 * Creates a site, or updates what the body names of one that is there (call 1): the other parts stay. `?replace=true`, or an
 * `if-match` of the whole site as it is stored, replaces it whole. Or takes it from its repository. Rule: docs/contract.md 3.1.
 */
export const putSite: Operation<(typeof endpoints)['putSite']> = async (context, input) => {
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

/** A body that names no part asks for nothing, and would be a success that does nothing. */
function nothingNamed(): Refusal {
  const sentence = 'The body names no part of the site. Send the parts to change.';
  return new Refusal('BODY_INVALID', sentence, { errors: [{ pointer: '', detail: sentence }] });
}

const SET_BY_SERVICE: ReadonlySet<string> = new Set(['version', 'name', 'created', 'lastModified']);
