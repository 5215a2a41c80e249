import type { ServerResponse } from 'node:http';
import type { Caller } from '#backend/domain/caller.ts';
import { Refusal } from '#backend/domain/errors.ts';

export interface RateLimitSettings {
  /** Requests a second that a bucket is refilled with; 0 for no limit. */
  readonly rate: number;
  /** Requests that may come at once. */
  readonly burst: number;
}

/** Takes one request of a caller on an org, or refuses with RATE_LIMITED. */
export type RateLimit = (caller: Caller, address: string, org: string, response: ServerResponse) => void;

interface Bucket {
  tokens: number;
  since: number;
}

const MOST_BUCKETS = 50_000;

/** A token bucket for each caller and org (service contract, section 1); an anonymous caller is known by its address. */
export function createRateLimit({ rate, burst }: RateLimitSettings, now: () => Date): RateLimit {
  const buckets = new Map<string, Bucket>();
  return (caller, address, org, response) => {
    if (rate === 0) return;
    const key = `${caller.kind === 'user' ? caller.email : address} ${org}`;
    const time = now().getTime();
    const bucket = buckets.get(key) ?? { tokens: burst, since: time };
    bucket.tokens = Math.min(burst, bucket.tokens + (Math.max(0, time - bucket.since) / 1000) * rate);
    bucket.since = time;
    keep(buckets, key, bucket);
    if (bucket.tokens >= 1) return void (bucket.tokens -= 1);
    response.setHeader('x-ratelimit-limit', String(burst));
    response.setHeader('x-ratelimit-rate', String(rate));
    const seconds = Math.max(1, Math.ceil((1 - bucket.tokens) / rate));
    throw new Refusal('RATE_LIMITED', `Too many requests at once. Try again in ${seconds} s; ${rate} requests a second are allowed.`, {
      retryAfter: seconds,
    });
  };
}

/** The bucket that was used longest ago goes first: it is full again, or nearly. */
function keep(buckets: Map<string, Bucket>, key: string, bucket: Bucket): void {
  buckets.delete(key);
  const [oldest] = buckets.keys();
  if (buckets.size >= MOST_BUCKETS && oldest !== undefined) buckets.delete(oldest);
  buckets.set(key, bucket);
}
