import type { IncomingMessage, ServerResponse } from 'node:http';
import { LRUCache } from 'lru-cache';
import { shareOf } from '../domain/caller.ts';
import type { Caller } from '../domain/caller.ts';
import { Refusal } from '../domain/errors.ts';
import { networkOf } from './client-address.ts';
import type { ClientAddress } from './client-address.ts';

export interface RateLimitSettings {
  /** Requests a second that a bucket is refilled with; 0 for no limit. */
  readonly rate: number;
  /** Requests that may come at once. */
  readonly burst: number;
}

/** Takes one request of a caller, or refuses with RATE_LIMITED. */
export type RateLimit = (caller: Caller, request: IncomingMessage, response: ServerResponse) => void;

interface Bucket {
  tokens: number;
  since: number;
}

const MOST_BUCKETS = 50_000;
/** The API keys of an organization have so many times together what one caller has. */
const KEYS_TOGETHER = 4;

/**
 * A token bucket for each caller, whatever organization the path names, and one for all API keys of an organization, because it can create as many
 * as it likes; callers without a token are identified by their network (docs/contract.md 2.8).
 */
export function createRateLimit({ rate, burst }: RateLimitSettings, addressOf: ClientAddress, now: () => Date): RateLimit {
  // The bucket that was used longest ago goes first: it is full again, or nearly.
  const buckets = new LRUCache<string, Bucket>({ max: MOST_BUCKETS });
  /** The bucket as it is now, filled up. In: how many times as large and fast as that of one caller it is. */
  const filled = (key: string, times: number): Bucket => {
    const time = now().getTime();
    const bucket = buckets.get(key) ?? { tokens: burst * times, since: time };
    bucket.tokens = Math.min(burst * times, bucket.tokens + (Math.max(0, time - bucket.since) / 1000) * rate * times);
    bucket.since = time;
    buckets.set(key, bucket);
    return bucket;
  };
  return (caller, request, response) => {
    if (rate === 0) return;
    const isUser = caller.kind === 'user';
    const own = filled(isUser ? `user ${caller.email.toLowerCase()}` : `from ${networkOf(addressOf(request))}`, 1);
    const together = isUser && caller.key !== undefined ? filled(shareOf(caller), KEYS_TOGETHER) : undefined;
    if (own.tokens < 1) throw refused(response, own, { rate, burst });
    if (together !== undefined && together.tokens < 1)
      throw refused(
        response,
        together,
        { rate: rate * KEYS_TOGETHER, burst: burst * KEYS_TOGETHER },
        ' to the API keys of an organization together',
      );
    own.tokens -= 1;
    if (together !== undefined) together.tokens -= 1;
  };
}

function refused(response: ServerResponse, { tokens }: Bucket, { rate, burst }: RateLimitSettings, whom = ''): Refusal {
  response.setHeader('x-ratelimit-limit', String(burst));
  response.setHeader('x-ratelimit-rate', String(rate));
  const seconds = Math.max(1, Math.ceil((1 - tokens) / rate));
  return new Refusal(
    'RATE_LIMITED',
    `Too many requests at once. Try again in ${seconds} s; ${rate} requests per second are allowed${whom}.`,
    {
      retryAfter: seconds,
    },
  );
}
