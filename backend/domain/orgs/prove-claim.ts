import { CHALLENGE_PATH } from '#contract/org.ts';
import type { User } from '../caller.ts';
import type { Context } from '../context.ts';
import { Refusal } from '../errors.ts';
import { challengeKey, StoredChallenge } from './challenge.ts';

/**
 * Refuses a claim unless the organization exists on the code host and the caller is an operator, or committed their challenge
 * to a repository of it (service contract, Organizations).
 */
export async function proveClaim(context: Context, org: string, caller: User): Promise<void> {
  await requireOnCodeHost(context, org);
  if (caller.names.some((name) => context.settings.operators.includes(name))) return;
  const stored = StoredChallenge.safeParse(await context.store.shortLived.get('challenge', challengeKey(org, caller)));
  if (!stored.success || new Date(stored.data.expires) <= context.now()) {
    const sentence = `Prove that you control "${org}": ask for a challenge with POST /config/${org}/challenge.json, commit it, and repeat this call.`;
    throw new Refusal('CLAIM_NOT_PROVEN', sentence);
  }
  const { repository, token } = stored.data;
  const committed = await context.codeHost.readFile(org, repository, CHALLENGE_PATH);
  if (committed?.trim() === token) return;
  const found = committed === undefined ? 'has no such file' : 'has another text there';
  throw new Refusal(
    'CLAIM_NOT_PROVEN',
    `Commit the challenge to ${CHALLENGE_PATH} on main of ${org}/${repository}, which ${found}, and repeat this call.`,
    { data: { repository, path: CHALLENGE_PATH } },
  );
}

export async function requireOnCodeHost(context: Context, org: string): Promise<void> {
  if (await context.codeHost.organizationExists(org)) return;
  throw new Refusal(
    'ORG_UNKNOWN_ON_CODE_HOST',
    `The code host ${context.settings.codeHost} has no organization "${org}"; create it there first, or correct the name.`,
  );
}
