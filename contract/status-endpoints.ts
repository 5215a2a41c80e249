import { z } from 'zod';
import { endpoint, NO_QUERY } from './endpoint.ts';
import { Ref } from './names.ts';
import { SITE_READ_ERRORS, SiteParams } from './site-endpoints.ts';
import { SidekickConfig } from './sidekick.ts';
import { PathStatus, Status } from './status.ts';

const RefParams = SiteParams.extend({ ref: Ref });
const tag = 'Code' as const;
const errors = [...SITE_READ_ERRORS, 'HOST_LABEL_TOO_LONG'] as const;

export const statusEndpoints = {
  getStatus: endpoint({
    method: 'GET',
    path: '/status/{org}/{site}/{ref}',
    params: RefParams,
    query: NO_QUERY,
    permission: 'job:read',
    answers: { 200: { description: 'the hosts, the code, and what the caller may do', media: ['application/json'], schema: Status } },
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
    answers: {
      200: { description: 'the same, with whether the path is served and where from', media: ['application/json'], schema: PathStatus },
    },
    errors: [...errors, 'OVERLOADED'],
    tag,
    summary: 'Read whether a path of a site is served, and where from',
  }),
  getSidekickConfig: endpoint({
    method: 'GET',
    path: '/sidekick/{org}/{site}/{ref}/config.json',
    params: RefParams,
    query: NO_QUERY,
    permission: 'job:read',
    answers: {
      200: { description: 'the sidekick part with the hosts of the branch', media: ['application/json'], schema: SidekickConfig },
    },
    errors,
    tag: 'Sites',
    summary: 'Read the initial configuration of the sidekick of a site',
    preconditions: true,
  }),
} as const;
