import { z } from 'zod';
import { DryRun, SiteParams } from './endpoint-parts.ts';
import { answer, endpoint, json, WRITE_QUERY } from './endpoint.ts';
import { CODE_ERRORS } from './job.ts';
import { Ref } from './names.ts';

/** `sha`: the commit to serve until further notice; null: the last synchronized one, and those of later syncs. */
export const ServedCommitInput = z.strictObject({
  sha: z
    .string()
    .regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/i, 'Write the name of a commit in full.')
    .nullable(),
});
/** `follows`: later syncs are also served. */
export const ServedCommit = z.object({ served: z.string(), follows: z.boolean() });
export type ServedCommit = z.infer<typeof ServedCommit>;

export const servedCodeEndpoints = {
  serveCommit: endpoint({
    method: 'PUT',
    path: '/served-code/{org}/{site}/{ref}',
    params: SiteParams.extend({ ref: Ref }),
    query: WRITE_QUERY,
    body: json(ServedCommitInput),
    permission: 'code:sync',
    answers: { 200: answer('what all sites on the repository and branch serve now', z.union([ServedCommit, DryRun])) },
    errors: [...CODE_ERRORS, 'COMMIT_NOT_KEPT'],
    tag: 'Code',
    summary: 'Serve an earlier commit of a branch, or follow the branch again',
    preconditions: true,
  }),
} as const;
