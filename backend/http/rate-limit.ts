import type { IncomingMessage, ServerResponse } from 'node:http';
import { BoundedMap } from '#backend/domain/bounded-map.ts';
import type { Caller } from '#backend/domain/caller.ts';
import { Refusal } from '#backend/domain/errors.ts';
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

/**
 * A token bucket for each caller, whatever organization the path names; who shows no token is known by the network that the
 * request comes from (docs/contract.md 2.8).
 */
export function createRateLimit({ rate, burst }: RateLimitSettings, addressOf: ClientAddress, now: () => Date): RateLimit {
  // The bucket that was used longest ago goes first: it is full again, or nearly.
  const buckets = new BoundedMap<string, Bucket>(MOST_BUCKETS);
  return (caller, request, response) => {
    if (rate === 0) return;
    const key = caller.kind === 'user' ? `user ${caller.email.toLowerCase()}` : `from ${networkOf(addressOf(request))}`;
    const time = now().getTime();
    const bucket = buckets.get(key) ?? { tokens: burst, since: time };
    bucket.tokens = Math.min(burst, bucket.tokens + (Math.max(0, time - bucket.since) / 1000) * rate);
    bucket.since = time;
    buckets.set(key, bucket);
    if (bucket.tokens >= 1) return void (bucket.tokens -= 1);
    response.setHeader('x-ratelimit-limit', String(burst));
    response.setHeader('x-ratelimit-rate', String(rate));
    const seconds = Math.max(1, Math.ceil((1 - bucket.tokens) / rate));
    throw new Refusal('RATE_LIMITED', `Too many requests at once. Try again in ${seconds} s; ${rate} requests a second are allowed.`, {
      retryAfter: seconds,
    });
  };
}
