import type { endpoints } from '@repoless/contract/endpoints.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import { type Challenge, CHALLENGE_PATH, type Org } from '@repoless/contract/org.ts';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { isOperator, requireHeader, requirePerson } from '../access/permit.ts';
import { isListed } from '../access/roles.ts';
import { dryRunOf } from '../changes/part-calls.ts';
import type { Context, Operation } from '../domain/context.ts';
import { etagOf } from '../domain/documents.ts';
import { difference } from '@repoless/contract/difference.ts';
import { Refusal, checkPreconditions } from '@repoless/contract/refusal.ts';
import { createTally } from '../domain/fair-share.ts';
import type { CodeHost } from '../domain/ports.ts';
import type { User } from '../sessions/identity.ts';

/** A stored challenge: only its claimant can use it. */
export const StoredChallenge = z.object({ repository: z.string(), token: z.string(), expires: z.iso.datetime() });
export type StoredChallenge = z.infer<typeof StoredChallenge>;

/** One for each organization, caller and repository, so that requesting one never ends another. */
export function challengeKey(org: string, caller: User, repository: string): string {
  return `${ownKeys(org, caller)}${repository}`;
}

/** All challenges of the caller that are still valid. */
export async function validChallenges({ store, now }: Context, org: string, caller: User): Promise<StoredChallenge[]> {
  const stored = await store.shortLived.list('challenge', ownKeys(org, caller));
  return stored
    .flatMap((value) => StoredChallenge.safeParse(value).data ?? [])
    .filter(({ expires }) => new Date(expires) > now())
    .toSorted((a, b) => (a.repository < b.repository ? -1 : 1));
}

/** How many challenges of a person are stored, for all organizations. */
export async function countChallenges({ store }: Context, caller: User): Promise<number> {
  return (await store.shortLived.list('challenge', personKeys(caller))).length;
}

/** At the limit for all callers, evicts the oldest challenges of those with the most, so that no one uses up the capacity of others. */
export async function displaceOldest({ store: { shortLived } }: Context): Promise<void> {
  if ((await shortLived.count('challenge')) >= LIMITS.openDeviceAuthorizations) await shortLived.displace('challenge', END_OF_PERSON);
}

function personKeys(caller: User): string {
  return `${encodeURIComponent(caller.email.toLowerCase())}${END_OF_PERSON}`;
}

const END_OF_PERSON = ':';

function ownKeys(org: string, caller: User): string {
  return `${personKeys(caller)}${org}:`;
}

/**
 * Refuses a claim unless the organization exists on the code host and the caller is an operator, or committed their challenge
 * to a repository of it (docs/contract.md 3.13).
 */
export async function proveClaim(context: Context, org: string, caller: User): Promise<void> {
  if (isOperator(caller, context.settings.operators)) return await requireOnCodeHost(context, org, caller);
  const challenges = await validChallenges(context, org, caller);
  if (challenges.length === 0) {
    await requireOnCodeHost(context, org, caller).catch(unlessRateLimited);
    const sentence = `Prove that you control "${org}": request a challenge with POST /config/${org}/challenge.json, commit it, and repeat this call.`;
    throw new Refusal('CLAIM_NOT_PROVEN', sentence);
  }
  await requireOnCodeHost(context, org, caller);
  const found: string[] = [];
  for (const { repository, token } of challenges) {
    const committed = await context.codeHost.readFile(org, repository, CHALLENGE_PATH, codeHostCaller(context, caller));
    if (committed?.trim() === token) return;
    found.push(`${org}/${repository}, which ${committed === undefined ? 'has no such file' : 'has a different text there'}`);
  }
  const [first] = challenges;
  throw new Refusal(
    'CLAIM_NOT_PROVEN',
    `Commit the challenge to ${CHALLENGE_PATH} on main of ${found.join('; or of ')}, and repeat this call.`,
    { data: { repository: first?.repository ?? '', path: CHALLENGE_PATH } },
  );
}

/** Callers without a challenge learn how to get one, even if they have used up their requests to the code host. */
function unlessRateLimited(error: unknown): void {
  if (!(error instanceof Refusal && error.code === 'RATE_LIMITED')) throw error;
}

/** The answer to a caller who controls the organization on the code host, or has a role in it: it is claimed, and by whom. */
export function alreadyClaimed({ name, users }: Pick<Org, 'name' | 'users'>): Refusal {
  const admins = users.filter(({ roles }) => roles.includes('admin')).map(({ email }) => email);
  const who = admins.slice(0, SHOWN_ADMINS).join(', ');
  const sentence = `The organization "${name}" is claimed already; ask one of its administrators for access.`;
  return new Refusal('ORG_ALREADY_CLAIMED', sentence, {
    detail: `${sentence} An administrator can grant it: ${who}.`,
    data: { grantedBy: who },
  });
}

const SHOWN_ADMINS = 5;

/** Refuses with ORG_UNKNOWN_ON_CODE_HOST, and with RATE_LIMITED after too many requests; operators are not limited. */
export async function requireOnCodeHost(context: Context, org: string, caller: User): Promise<void> {
  if (await context.codeHost.organizationExists(org, codeHostCaller(context, caller))) return;
  throw new Refusal(
    'ORG_UNKNOWN_ON_CODE_HOST',
    `The code host ${context.settings.codeHost} has no organization "${org}"; create it there first, or correct the name.`,
    { data: { host: context.settings.codeHost, org } },
  );
}

/**
 * Starts the claim of an organization, whether or not someone has claimed it. Repeated for the same repository, it returns the same
 * challenge while that is valid.
 */
export const challengeOrg: Operation<(typeof endpoints)['challengeOrg']> = async (context, input) => {
  const { org } = input.params;
  const { repository } = input.body;
  const caller = requirePerson(context.caller);
  requireHeader(caller);
  const stored = await context.store.reads.org(org);
  // Strangers always get a challenge, and so do callers who have only a role granted to everyone: only those who commit it learn that
  // someone was first.
  if (stored !== undefined && isListed(caller, stored.config)) throw alreadyClaimed(stored.config);
  const { shortLived } = context.store;
  const valid = await validChallenges(context, org, caller);
  const existing = valid.find((one) => one.repository === repository);
  const isValid = existing !== undefined;
  if (!isValid && valid.length >= LIMITS.challengesOfOrg) throw tooMany(org, valid);
  if (!isValid) {
    if ((await countChallenges(context, caller)) >= LIMITS.challenges) throw tooManyInAll();
    await requireOnCodeHost(context, org, caller);
  }
  const challenge = existing ?? {
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
  // A concurrent request of the same caller: its challenge counts, because it may have been committed already.
  const first = (await validChallenges(context, org, caller)).find((one) => one.repository === repository);
  if (first === undefined) throw new Error('A challenge could be neither stored nor read.');
  const shown: Challenge = { ...body, ...first };
  return { result: 'done', body: shown, etag: etagOf(shown) };
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

/**
 * The code host, limited by person: otherwise anyone with a token could use up the requests that it allows the service in an hour. That an
 * organization exists is cached for five minutes; concurrent calls share one request. Refuses with RATE_LIMITED, and as the code host does.
 */
export function rateLimitedCodeHost(codeHost: CodeHost, now: () => Date): CodeHost {
  const organizations = createTally({
    limit: LIMITS.codeHostLookups,
    within: HOUR,
    sentence: `You can look up ${LIMITS.codeHostLookups} organizations on the code host in an hour.`,
  });
  const files = createTally({
    limit: LIMITS.codeHostFiles,
    within: HOUR,
    sentence: `You can request ${LIMITS.codeHostFiles} files from the code host in an hour.`,
  });
  const known = new LRUCache<string, number>({ max: MAX_KNOWN });
  const inProgress = new Map<string, Promise<boolean>>();

  async function organizationOf(org: string): Promise<boolean> {
    try {
      const exists = await codeHost.organizationExists(org);
      if (exists) known.set(org, now().getTime() + FRESH);
      return exists;
    } finally {
      inProgress.delete(org);
    }
  }

  return {
    async organizationExists(org, person) {
      if ((known.get(org) ?? 0) > now().getTime()) return true;
      const pending = inProgress.get(org);
      if (pending !== undefined) return await pending;
      if (person !== undefined) organizations.take(person, now());
      const answer = organizationOf(org);
      inProgress.set(org, answer);
      return await answer;
    },
    async readFile(org, repository, path, person) {
      if (person !== undefined) files.take(person, now());
      return await codeHost.readFile(org, repository, path);
    },
  };
}

const HOUR = 60 * 60 * 1000;
/** Milliseconds. */
const FRESH = 5 * 60 * 1000;
const MAX_KNOWN = 10_000;

/** The person whose requests to the code host are counted; undefined for an operator. */
export function codeHostCaller({ settings }: Pick<Context, 'settings'>, caller: User): string | undefined {
  return isOperator(caller, settings.operators) ? undefined : caller.email.toLowerCase();
}
