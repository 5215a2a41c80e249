import { z } from 'zod';
import { AuditLog, Since } from './audit.ts';
import { endpoint } from './endpoint.ts';
import { SiteName } from './names.ts';
import { OrgParams, SiteParams } from './site-endpoints.ts';

/** A page: at most `limit` entries (100 where it is left out), with `before` as the `link` header of the page before has it. */
const LogQuery = z.object({
  since: Since.optional(),
  limit: z.coerce.number().int().min(1).max(1000).optional(),
  before: z.coerce.number().int().positive().optional(),
});
const log = {
  description: 'the changes, newest first; a `link` header with rel="next" where there are more',
  media: ['application/json'],
  schema: AuditLog,
} as const;

/** The audit trail (service contract, section 2). */
export const auditEndpoints = {
  getLog: endpoint({
    method: 'GET',
    path: '/config/{org}/log.json',
    params: OrgParams,
    query: LogQuery.extend({ site: SiteName.optional() }),
    permission: 'org:audit',
    answers: { 200: log },
    errors: ['NOT_AUTHENTICATED', 'NOT_AUTHORIZED', 'ORG_NOT_FOUND'],
    tag: 'History',
    summary: 'Read who changed what in an organization',
  }),
  getSiteLog: endpoint({
    method: 'GET',
    path: '/config/{org}/sites/{site}/log.json',
    params: SiteParams,
    query: LogQuery,
    permission: 'site:audit',
    answers: { 200: log },
    errors: ['NOT_AUTHENTICATED', 'NOT_AUTHORIZED', 'ORG_NOT_FOUND'],
    tag: 'History',
    summary: 'Read who changed what of a site',
  }),
} as const;
