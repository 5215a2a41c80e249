import { z } from 'zod';
import { LIMITS } from '@repoless/contract/limits.ts';
import { CHALLENGE_PATH } from '@repoless/contract/org.ts';
import type { Org } from '@repoless/contract/org.ts';
import type { User } from '../domain/caller.ts';
import type { Context } from '../domain/context.ts';
import { Refusal } from '../domain/errors.ts';
import { isOperator } from '../access/permit.ts';
import { codeHostCaller } from './rate-limited-code-host.ts';

/** A challenge as it is kept: only its claimant can use it. */
export const StoredChallenge = z.object({ repository: z.string(), token: z.string(), expires: z.iso.datetime() });
export type StoredChallenge = z.infer<typeof StoredChallenge>;

/** One for each organization, caller and repository, so that asking for one never ends another. */
export function challengeKey(org: string, caller: User, repository: string): string {
  return `${ownKeys(org, caller)}${repository}`;
}

/** All that the caller asked for and that is valid still. */
export async function validChallenges({ store, now }: Context, org: string, caller: User): Promise<StoredChallenge[]> {
  const stored = await store.shortLived.list('challenge', ownKeys(org, caller));
  return stored
    .flatMap((value) => StoredChallenge.safeParse(value).data ?? [])
    .filter(({ expires }) => new Date(expires) > now())
    .toSorted((a, b) => (a.repository < b.repository ? -1 : 1));
}

/** How many challenges of a person are kept, for whatever organizations. */
export async function countChallenges({ store }: Context, caller: User): Promise<number> {
  return (await store.shortLived.list('challenge', personKeys(caller))).length;
}

/** Where there are as many as may be of everybody, the oldest of the people with the most go, so that nobody fills the room of others. */
export async function displaceOldest({ store: { shortLived } }: Context): Promise<void> {
  if ((await shortLived.count('challenge')) >= LIMITS.openBeginnings) await shortLived.displace('challenge', END_OF_PERSON);
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
    await requireOnCodeHost(context, org, caller).catch(unlessAskedTooOften);
    const sentence = `Prove that you control "${org}": ask for a challenge with POST /config/${org}/challenge.json, commit it, and repeat this call.`;
    throw new Refusal('CLAIM_NOT_PROVEN', sentence);
  }
  await requireOnCodeHost(context, org, caller);
  const found: string[] = [];
  for (const { repository, token } of challenges) {
    const committed = await context.codeHost.readFile(org, repository, CHALLENGE_PATH, codeHostCaller(context, caller));
    if (committed?.trim() === token) return;
    found.push(`${org}/${repository}, which ${committed === undefined ? 'has no such file' : 'has another text there'}`);
  }
  const [first] = challenges;
  throw new Refusal(
    'CLAIM_NOT_PROVEN',
    `Commit the challenge to ${CHALLENGE_PATH} on main of ${found.join('; or of ')}, and repeat this call.`,
    { data: { repository: first?.repository ?? '', path: CHALLENGE_PATH } },
  );
}

/** Whoever has no challenge is told how to get one, also where the code host may not be asked for them any more. */
function unlessAskedTooOften(error: unknown): void {
  if (!(error instanceof Refusal && error.code === 'RATE_LIMITED')) throw error;
}

/** What somebody is told who controls the organization on the code host, or has a role in it: it is claimed, and by whom. */
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

/** Refuses with ORG_UNKNOWN_ON_CODE_HOST, and with RATE_LIMITED who asks too often; operators may as often as they like. */
export async function requireOnCodeHost(context: Context, org: string, caller: User): Promise<void> {
  if (await context.codeHost.organizationExists(org, codeHostCaller(context, caller))) return;
  throw new Refusal(
    'ORG_UNKNOWN_ON_CODE_HOST',
    `The code host ${context.settings.codeHost} has no organization "${org}"; create it there first, or correct the name.`,
  );
}
