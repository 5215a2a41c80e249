import type { endpoints } from '@repoless/contract/endpoints.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import { CHALLENGE_PATH } from '@repoless/contract/org.ts';
import type { Challenge } from '@repoless/contract/org.ts';
import { etagOf } from '../domain/canonical.ts';
import { dryRunOf } from '../changes/run-write.ts';
import { difference } from '../domain/difference.ts';
import { Refusal } from '../domain/errors.ts';
import { checkPreconditions } from '../domain/preconditions.ts';
import { requireHeader, requirePerson } from '../access/permit.ts';
import { isNamed } from '../access/roles-of.ts';
import type { Operation } from '../domain/operation.ts';
import { alreadyClaimed, challengeKey, countChallenges, displaceOldest, requireOnCodeHost, validChallenges } from './prove-claim.ts';
import type { StoredChallenge } from './prove-claim.ts';

/** Begins the claim of an organization, whether somebody claimed it before or not. Asked again for the same repository, it answers the same challenge while that is valid. */
export const challengeOrg: Operation<(typeof endpoints)['challengeOrg']> = async (context, input) => {
  const { org } = input.params;
  const { repository } = input.body;
  const caller = requirePerson(context.caller);
  requireHeader(caller);
  const stored = await context.store.reads.org(org);
  // Strangers get their challenge in any case, and so does whoever has but a role of everybody: only who commits it learns that somebody
  // was first.
  if (stored !== undefined && isNamed(caller, stored.config)) throw alreadyClaimed(stored.config);
  const { shortLived } = context.store;
  const valid = await validChallenges(context, org, caller);
  const present = valid.find((one) => one.repository === repository);
  const isValid = present !== undefined;
  if (!isValid && valid.length >= LIMITS.challengesOfOrg) throw tooMany(org, valid);
  if (!isValid) {
    if ((await countChallenges(context, caller)) >= LIMITS.challenges) throw tooManyInAll();
    await requireOnCodeHost(context, org, caller);
  }
  const challenge = present ?? {
    repository,
    token: context.newId(),
    expires: new Date(context.now().getTime() + ONE_DAY).toISOString(),
  };
  const body: Challenge = { org, branch: 'main', path: CHALLENGE_PATH, ...challenge };
  const etag = etagOf(body);
  checkPreconditions(input, isValid ? etag : undefined);
  if (input.query.dryRun === true) {
    const { token: _token, ...dryRunResult } = body;
    const result = isValid ? body : dryRunResult;
    return dryRunOf({ result: 'done', body: result, diff: isValid ? [] : difference({}, result) });
  }
  if (!isValid) await displaceOldest(context);
  if (isValid || (await shortLived.add('challenge', challengeKey(org, caller, repository), challenge, new Date(challenge.expires))))
    return { result: 'done', body, etag };
  // The same caller asked at the same time: that one counts, for it may have been committed already.
  const first = (await validChallenges(context, org, caller)).find((one) => one.repository === repository);
  if (first === undefined) throw new Error('A challenge could be neither kept nor read.');
  const told: Challenge = { ...body, ...first };
  return { result: 'done', body: told, etag: etagOf(told) };
};

function tooMany(org: string, valid: readonly StoredChallenge[]): Refusal {
  const repositories = valid.map(({ repository }) => repository).join(', ');
  const sentence = `You already have ${valid.length} challenges for "${org}". Commit one of them: ${repositories}.`;
  return new Refusal('RATE_LIMITED', sentence, { retryAfter: ONE_DAY / 1000 });
}

function tooManyInAll(): Refusal {
  const sentence = `You already have ${LIMITS.challenges} challenges for several organizations. Each expires after a day.`;
  return new Refusal('RATE_LIMITED', sentence, { retryAfter: ONE_DAY / 1000 });
}

const ONE_DAY = 24 * 60 * 60 * 1000;
