import type { endpoints } from '#contract/endpoints.ts';
import { OrgInput } from '#contract/org.ts';
import type { Context } from '../context.ts';
import { Refusal } from '../errors.ts';
import { readVersion, refuseBody, restoring } from '../history/restore.ts';
import { requireHeader, requireUser } from '../roles/permit.ts';
import type { Input, Outcome, Operation } from '../operation.ts';
import { changeOrg, orgRequest } from './change-org.ts';
import { putOrg } from './put-org.ts';

type PostOrg = (typeof endpoints)['postOrg'];

/** Claims an organization, replaces its configuration, or restores a version of it. */
export const postOrg: Operation<PostOrg> = (context, input) => {
  const { body, query } = input;
  if (query.restoreVersion !== undefined) return restore(context, input, query.restoreVersion);
  if (body !== undefined) return putOrg(context, { ...input, body });
  throw new Refusal('BODY_MISSING', 'missing body', { detail: 'Send the organization, or ?restoreVersion=<number>.' });
};

function restore(context: Context, input: Input<PostOrg>, version: number): Promise<Outcome> {
  requireHeader(requireUser(context.caller));
  refuseBody(input.body);
  const subject = { kind: 'org', org: input.params.org } as const;
  return restoring(version, () =>
    changeOrg(context, {
      ...orgRequest(input),
      permission: 'org:write',
      action: `restore-org/${version}`,
      restores: version,
      next: (_present, reads) => readVersion(reads, subject, version, OrgInput),
    }),
  );
}
