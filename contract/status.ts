import { z } from 'zod';
import { SITE_READ_ERRORS, SiteParams } from './endpoint-parts.ts';
import { answer, endpoint, NO_QUERY } from './endpoint.ts';
import { Ref } from './names.ts';
import { Profile } from './session.ts';
import { SidekickConfig } from './site-parts.ts';

/** The source of a path on the host: its own configuration, the code, the content behind a mapping, or the page of a folder. */
export const ServedFrom = z.enum(['configuration', 'code', 'mapping', 'folder']);
export type ServedFrom = z.infer<typeof ServedFrom>;

/** The status of a host's answer, as the public service returns it; `hidden`: the caller may not know. */
export const HOST_ANSWERS = { served: 200, unready: 400, missing: 404, hidden: 401 } as const;

const permissions = z.array(z.enum(['read', 'write']));

/** A host of the site. `status`: its answer for the path; 401 if the caller may not know. */
const HostStatus = z.object({
  url: z.string(),
  permissions,
  status: z.number().int().optional(),
  from: ServedFrom.optional(),
  /** The address at the content source, or the page mapped to the folder. */
  sourceLocation: z.string().optional(),
  /** When the content source says it last changed, in HTTP format. */
  lastModified: z.string().optional(),
  /** A sentence: why it is not served. */
  error: z.string().optional(),
});
export type HostStatus = z.infer<typeof HostStatus>;

const BranchStatus = z.object({
  /**
   * For the branch: 200 its code is served, 400 its first sync is running, 404 there is none. With a path: 200 it is a file of the code,
   * 404 there is no such file, 400 the path (`/`) names no file.
   */
  status: z.number().int(),
  /** State of the branch: its code is served, was never synchronized, is being synchronized for the first time, or could not be. */
  state: z.enum(['served', 'never', 'in-progress', 'failed']),
  sha: z.string().optional(),
  error: z.string().optional(),
  permissions,
});

/** The status of a branch of a site (docs/contract.md 8.3). */
export const Status = z.object({
  preview: HostStatus,
  live: HostStatus,
  code: BranchStatus.optional(),
  /** The caller's permissions on the site, by the names used in the API, such as `job:read`. */
  permissions: z.array(z.string()),
  /** The caller, if signed in. Without the seconds left, so that a status stays the same while nothing changes. */
  profile: Profile.omit({ ttl: true }).optional(),
  links: z.object({
    status: z.string(),
    code: z.string(),
    job: z.string(),
    log: z.string(),
    config: z.string(),
    sidekick: z.string(),
  }),
});
export type Status = z.infer<typeof Status>;

/** The document behind a path, if it was requested. `status`: whether the content source has it; 401 if the caller may not know. */
const EditStatus = z.object({
  status: z.number().int().optional(),
  /** The address where it is edited. */
  url: z.string().optional(),
  sourceLocation: z.string().optional(),
  lastModified: z.string().optional(),
});
export type EditStatus = z.infer<typeof EditStatus>;

/** The status of a site and of one path on its hosts. */
export const PathStatus = Status.extend({
  webPath: z.string(),
  resourcePath: z.string(),
  edit: EditStatus,
});
export type PathStatus = z.infer<typeof PathStatus>;

const RefParams = SiteParams.extend({ ref: Ref });
const tag = 'Code' as const;
const errors = [...SITE_READ_ERRORS, 'HOST_LABEL_TOO_LONG'] as const;

const read = { method: 'GET', permission: 'job:read' } as const;

export const statusEndpoints = {
  getStatus: endpoint({
    ...read,
    path: '/status/{org}/{site}/{ref}',
    params: RefParams,
    query: NO_QUERY,
    answers: { 200: answer('the hosts, the code, and what the caller may do', Status) },
    errors,
    tag,
    summary: 'Read the status of a branch of a site',
  }),
  getPathStatus: endpoint({
    method: 'GET',
    path: '/status/{org}/{site}/{ref}/{path*}',
    params: RefParams.extend({ path: z.string() }),
    query: z.object({
      editUrl: z
        .literal('auto', { error: 'The page behind an address of the editor is not looked up here: write auto, or omit it.' })
        .optional(),
    }),
    permission: 'job:read',
    answers: { 200: answer('the same, and whether and from where the path is served', PathStatus) },
    errors: [...errors, 'OVERLOADED'],
    tag,
    summary: 'Read whether and from where a path of a site is served',
  }),
  getSidekickConfig: endpoint({
    ...read,
    path: '/sidekick/{org}/{site}/{ref}/config.json',
    params: RefParams,
    query: NO_QUERY,
    answers: { 200: answer('the sidekick part with the hosts of the branch', SidekickConfig) },
    errors,
    tag: 'Sites',
    summary: 'Read the initial configuration of the sidekick of a site',
    preconditions: true,
  }),
} as const;
