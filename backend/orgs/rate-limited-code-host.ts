import { LIMITS } from '@repoless/contract/limits.ts';
import { LRUCache } from 'lru-cache';
import type { User } from '../domain/caller.ts';
import type { Context } from '../domain/context.ts';
import type { CodeHost } from '../domain/ports.ts';
import { isOperator } from '../access/permit.ts';
import { createTally } from '../domain/tally.ts';

/**
 * The code host, asked no more than a person may have it asked: who has a token and no more could use up what it answers the service in
 * an hour. That an organization exists is known for five minutes; whoever asks while it is asked waits for that answer.
 * Refuses with RATE_LIMITED, and as the code host does.
 */
export function rateLimitedCodeHost(codeHost: CodeHost, now: () => Date): CodeHost {
  const organizations = createTally({
    most: LIMITS.codeHostLooks,
    within: HOUR,
    sentence: `You can look up ${LIMITS.codeHostLooks} organizations on the code host in an hour.`,
  });
  const files = createTally({
    most: LIMITS.codeHostFiles,
    within: HOUR,
    sentence: `You can request ${LIMITS.codeHostFiles} files from the code host in an hour.`,
  });
  const known = new LRUCache<string, number>({ max: MOST_KNOWN });
  const underWay = new Map<string, Promise<boolean>>();

  async function ask(org: string): Promise<boolean> {
    try {
      const exists = await codeHost.organizationExists(org);
      if (exists) known.set(org, now().getTime() + FRESH);
      return exists;
    } finally {
      underWay.delete(org);
    }
  }

  return {
    async organizationExists(org, person) {
      if ((known.get(org) ?? 0) > now().getTime()) return true;
      const asked = underWay.get(org);
      if (asked !== undefined) return await asked;
      if (person !== undefined) organizations.take(person, now());
      const answer = ask(org);
      underWay.set(org, answer);
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
const MOST_KNOWN = 10_000;

/** For whom the code host is asked, so that their questions are counted; undefined where it is an operator's. */
export function codeHostCaller({ settings }: Pick<Context, 'settings'>, caller: User): string | undefined {
  return isOperator(caller, settings.operators) ? undefined : caller.email.toLowerCase();
}
