import { operatorEndpoints } from '@repoless/contract/operator.ts';
import { type Profile, ProfileAnswer, sessionEndpoints } from '@repoless/contract/session.ts';
import { Refusal } from '@repoless/contract/refusal.ts';
import type { Answers } from '@repoless/upstream/bridge.ts';
import { readCredential } from '@repoless/upstream/credential.ts';
import { LRUCache } from 'lru-cache';
import { createHash } from 'node:crypto';
import { createFairShare, createTally } from '../domain/fair-share.ts';
import { presentedToken, widerNetworkOf } from '../http/caller.ts';
import type { Authenticate } from '../http/mount.ts';
import type { HostedWatch } from './watch.ts';
import { ANONYMOUS, type Caller } from '../sessions/identity.ts';

/** The hosted service's answer about a token; undefined: not accepted. */
type ProfileAnswered = { readonly profile?: Profile };

export interface HostedCallers {
  readonly authenticate: Authenticate;
  /** The profile of a token. Undefined if the hosted service does not accept it; rejects if it does not respond. */
  profile(token: string, network: string): Promise<Profile | undefined>;
}

/** Milliseconds for which the owner of a token is cached. */
const REMEMBERED = 300_000;
const MOST = 10_000;

/** Refused tokens within 15 minutes, for one address (for IPv6 its /64) and for one /48 of IPv6. */
const REFUSED = { within: 15 * 60_000, sentence: 'Too many tokens from your network were not accepted.' };
const REFUSED_OF_ADDRESS = 40;
const REFUSED_OF_NETWORK = 80;
/** All callers' requests share one pace, and networks take turns, so that of many tokens tried at once most are never sent. */
const QUESTIONS = {
  atOnce: 4,
  perShare: 2,
  waitingPerShare: 200,
  waiting: 2000,
  workName: 'sign-ins',
  of: 'your network',
};

/**
 * The hosted service identifies callers by their own token in a header. It is queried once per token, and the answer is cached by the
 * token's hash; a network that tries many invalid ones is refused.
 */
export function createHostedCallers(answers: Answers, now: () => Date, watch: Pick<HostedWatch, 'refused'>): HostedCallers {
  const known = new LRUCache<string, Promise<ProfileAnswered>>({ max: MOST, ttl: REMEMBERED });
  const refused = createTally({ ...REFUSED, limit: REFUSED_OF_ADDRESS });
  const refusedOfNetwork = createTally({ ...REFUSED, limit: REFUSED_OF_NETWORK });
  const questions = createFairShare(QUESTIONS);
  const fetchProfile = async (token: string): Promise<Profile | undefined> => {
    const call = { params: {}, query: {}, body: undefined, headers: {}, token };
    const { body } = await answers('profile', sessionEndpoints.profile, call).catch((error: unknown) => {
      if (error instanceof Refusal && error.code === 'NOT_AUTHENTICATED') return { body: undefined };
      throw error;
    });
    return ProfileAnswer.safeParse(body).data?.profile;
  };
  const profile = async (token: string, network: string): Promise<Profile | undefined> => {
    // A token that says that it has expired is not accepted, and does not count as an attempt.
    if ((readCredential(token).expires ?? Infinity) * 1000 <= now().getTime()) return undefined;
    const key = hashOf(token);
    const cached = known.get(key);
    if (cached !== undefined) return (await cached).profile;
    const wider = widerNetworkOf(network);
    const mayTry = () => {
      refused.check(network, now());
      refusedOfNetwork.check(wider, now());
    };
    mayTry();
    const pending = questions.run(wider, async (): Promise<ProfileAnswered> => {
      // Those before it may have been refused in the meantime.
      mayTry();
      const found = await fetchProfile(token);
      if (found !== undefined) return { profile: found };
      watch.refused();
      refused.take(network, now());
      refusedOfNetwork.take(wider, now());
      return {};
    });
    // Concurrent requests wait for one answer; failures are retried.
    known.set(key, pending);
    return await pending.then(
      ({ profile: found }) => found,
      (error: unknown) => {
        if (known.peek(key) === pending) known.delete(key);
        throw error;
      },
    );
  };
  return {
    profile,
    async authenticate(headers, { row, network }): Promise<Caller> {
      const presented = presentedToken(headers);
      // Anyone may request the operators' page, which then checks who they are.
      const isPublic = row.permission === 'public' && row !== operatorEndpoints.operatorPage;
      if (isPublic || presented?.credential !== 'header') return ANONYMOUS;
      const found = await profile(presented.token, network);
      if (found === undefined) return ANONYMOUS;
      const { email, name, apiKey } = found;
      const names = [email.toLowerCase()];
      const [org = ''] = apiKey?.subject.split('/') ?? [];
      return {
        kind: 'user',
        email,
        ...(name === undefined ? {} : { name }),
        names,
        // The keys of an organization share a caller's concurrent work.
        ...(apiKey === undefined ? {} : { key: { id: apiKey.id, org, roles: apiKey.roles } }),
        tokenId: hashOf(presented.token),
        credential: 'header',
      };
    },
  };
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}
