import type { endpoints } from '@repoless/contract/endpoints.ts';
import { OrgInput } from '@repoless/contract/org.ts';
import { isStranger, requireHeader, requirePerson, requireUser } from '../access/permit.ts';
import type { Input, Operation, Outcome } from '../domain/operation.ts';
import type { Context } from '../domain/context.ts';
import { Refusal } from '../domain/errors.ts';
import { readVersion, refuseBody, restoring } from '../history/read-versions.ts';
import { etagOf } from '../domain/canonical.ts';
import { changeOrg, orgRequest } from './org-document.ts';
import { alreadyClaimed, challengeKey, proveClaim, validChallenges } from './prove-claim.ts';
import { findOrg } from './org-view.ts';
import { issuedKeys, withIssuedKeys } from './issued-keys.ts';

export const getOrg: Operation<(typeof endpoints)['getOrg']> = async (context, { params }) => {
  const { config, etag } = await findOrg(context, params.org);
  const body = withIssuedKeys(config, await issuedKeys(context.caller, context.store.reads, config));
  return { result: 'done', body, etag: body === config ? etag : etagOf(body) };
};

/**
 * Claims an organization, or replaces its configuration (its admins alone). Serves PUT and POST. A caller without a role in it
 * proves the claim first, and only then learns whether somebody was first (ORG_ALREADY_CLAIMED).
 */
export const putOrg: Operation<(typeof endpoints)['putOrg']> = async (context, input) => {
  const { org } = input.params;
  const stored = await context.store.reads.org(org);
  const isClaim = stored === undefined;
  if (isClaim || isStranger(context.caller, stored.config)) await proveClaim(context, org, requirePerson(context.caller));
  if (!isClaim && isStranger(context.caller, stored.config)) throw alreadyClaimed(stored.config);
  const outcome = await changeOrg(context, {
    ...orgRequest(input),
    permission: 'org:claim',
    action: isClaim ? 'claim-org' : 'put-org',
    creates: true,
    next: () => input.body,
  });
  if (isClaim && input.query.dryRun !== true) {
    const caller = requirePerson(context.caller);
    for (const { repository } of await validChallenges(context, org, caller))
      await context.store.shortLived.take('challenge', challengeKey(org, caller, repository));
  }
  return outcome;
};

/** Claims an organization, replaces its configuration, or restores a version of it. */
export const postOrg: Operation<(typeof endpoints)['postOrg']> = (context, input) => {
  const { body, query } = input;
  if (query.restoreVersion !== undefined) return restore(context, input, query.restoreVersion);
  if (body !== undefined) return putOrg(context, { ...input, body });
  throw new Refusal('BODY_MISSING', 'missing body', { detail: 'Send the organization, or ?restoreVersion=<number>.' });
};

function restore(context: Context, input: Input<(typeof endpoints)['postOrg']>, version: number): Promise<Outcome> {
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
