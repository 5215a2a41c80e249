import { checkEndpoints } from '@repoless/contract/site-check.ts';
import { looksOf } from '@repoless/upstream/org-check.ts';
import type { Answers } from '@repoless/upstream/bridge.ts';
import type { Store } from '@repoless/upstream/store.ts';
import { setTimeout as later } from 'node:timers/promises';
import type { Log } from '../log.ts';
import { type HostedWatch, readStandingKeys, type StandingKey } from './watch.ts';

interface Parts {
  /** The file of the keys; read again for each round, so that a key can be replaced without a restart. */
  readonly file: string;
  /** Seconds between two rounds; 0: none. */
  readonly interval: number;
  readonly answers: Answers;
  readonly store: Store;
  readonly watch: Pick<HostedWatch, 'standing'>;
  readonly log: Pick<Log, 'info' | 'error'>;
  now(): Date;
}

/** The longest delay of a timer, in milliseconds: a longer one fires immediately. */
const LONGEST_TIMER = 2 ** 31 - 1;

/** How long before a key expires it is reported, in milliseconds. */
const TOLD = 14 * 86_400_000;

/**
 * Repeatedly checks all sites of the organizations that have a standing key, like a person who presses "Check". Skips organizations that a
 * person, or another node, has checked within half of the interval. Rejects immediately if the file is invalid. Returns a function that
 * ends it.
 */
export async function startStandingChecks(parts: Parts): Promise<() => void> {
  const { file, interval, watch, log } = parts;
  let keys = await readStandingKeys(file);
  watch.standing(keys);
  const stop = new AbortController();
  const rounds = async (): Promise<void> => {
    for (;;) {
      for (const key of keys) await checkOrganization(parts, key).catch((error: unknown) => log.error(failed(key, error)));
      await later(Math.min(interval * 1000, LONGEST_TIMER), undefined, { signal: stop.signal, ref: false });
      keys = await readStandingKeys(file).catch((error: unknown) => {
        log.error(`${messageOf(error)} The keys that were read before are used.`);
        return keys;
      });
      watch.standing(keys);
    }
  };
  // Only stopping ends it.
  if (interval > 0) void rounds().catch(() => undefined);
  return () => stop.abort();
}

async function checkOrganization({ answers, store, interval, log, now }: Parts, key: StandingKey): Promise<void> {
  const { org, ends } = key;
  const left = ends === undefined ? Infinity : ends * 1000 - now().getTime();
  if (left < TOLD)
    log.error(
      left > 0
        ? `The standing API key of the organization "${org}" ends at ${new Date(now().getTime() + left).toISOString()}. Replace it in the file of UPSTREAM_KEYS_FILE.`
        : `The standing API key of the organization "${org}" has ended, so that its sites are not checked. Replace it in the file of UPSTREAM_KEYS_FILE.`,
    );
  if (left <= 0) return;
  const newest = [...(await looksOf(store, org)).values()].map(({ at }) => Date.parse(at)).reduce((one, other) => Math.max(one, other), 0);
  if (now().getTime() - newest < interval * 500) return;
  const asked = { params: { org }, query: {}, body: undefined, headers: {}, token: key.token };
  await answers('startOrgCheck', checkEndpoints.startOrgCheck, asked);
}

function failed({ org }: StandingKey, error: unknown): string {
  return `The sites of the organization "${org}" could not be checked with its standing API key: ${messageOf(error)}`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
