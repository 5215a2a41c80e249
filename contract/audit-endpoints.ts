import { z } from 'zod';
import { AuditLog, AuditVerification, Since } from './audit.ts';
import { endpoint, NO_QUERY } from './endpoint.ts';
import { Ref, SiteName } from './names.ts';
import { RepositoryLog } from './repository-log.ts';
import { PublicLog, PublicLogQuery } from './public-log.ts';
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

/** The audit trail (docs/contract.md 3.11). */
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
  verifyLog: endpoint({
    method: 'GET',
    path: '/config/{org}/log/verification.json',
    params: OrgParams,
    // The entry behind it has a number as well.
    query: z.object({
      after: z.coerce
        .number()
        .int()
        .positive()
        .max(Number.MAX_SAFE_INTEGER - 1)
        .optional(),
    }),
    permission: 'org:audit',
    answers: {
      200: {
        description:
          'whether the entries are those that were written, in their order; a `link` header with rel="next" where there are more than one call looks at',
        media: ['application/json'],
        schema: AuditVerification,
      },
    },
    errors: ['NOT_AUTHENTICATED', 'NOT_AUTHORIZED', 'ORG_NOT_FOUND'],
    tag: 'History',
    summary: 'Check whether the audit trail was tampered with',
  }),
  getPublicLog: endpoint({
    method: 'GET',
    path: '/log/{org}/{site}/{ref}',
    params: SiteParams.extend({ ref: Ref }),
    query: PublicLogQuery,
    permission: 'site:audit',
    answers: {
      200: {
        description: 'the changes of the span, whatever their branch, newest first; `nextToken` and `links.next` where there are more',
        media: ['application/json'],
        schema: PublicLog,
      },
    },
    errors: ['NOT_AUTHENTICATED', 'NOT_AUTHORIZED', 'ORG_NOT_FOUND'],
    tag: 'History',
    summary: 'Read who changed what on a site, in the form of the public service',
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
    summary: 'Read who changed what on a site',
  }),
  /** For build management alone: `authorization: Bearer <BUILD_MANAGEMENT_KEY>`. */
  addRepositoryLog: endpoint({
    method: 'POST',
    path: '/repository-log/{org}',
    params: OrgParams,
    query: NO_QUERY,
    body: { media: ['application/json'], schema: RepositoryLog, raw: true },
    permission: 'public',
    credentials: 'program',
    outside: 'build management',
    answers: { 204: { description: 'the entries are in the audit trail, each only once' } },
    errors: [
      'NOT_AUTHENTICATED',
      'ORG_NOT_FOUND',
      'BODY_UNPARSABLE',
      'BODY_TOO_LARGE',
      'CONTENT_TYPE_UNSUPPORTED',
      'CONTENT_ENCODING_UNSUPPORTED',
      'STORAGE_FULL',
    ],
    tag: 'History',
    summary: 'Build management reports what was done with external repositories',
  }),
} as const;
