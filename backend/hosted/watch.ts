import type { ServiceState } from '@repoless/contract/operator.ts';
import type { RequestObserver } from '@repoless/upstream/fetch-hosted.ts';
import type { MetricsOnDemand } from '../metrics/metrics.ts';
import { readCredential } from '@repoless/upstream/credential.ts';
import { readFile } from 'node:fs/promises';

/** What operators see of the service's requests to the hosted one. */
export interface HostedWatch extends RequestObserver {
  /** A token was not accepted. */
  refused(): void;
  /** The standing keys used from now on. */
  standing(keys: readonly Pick<StandingKey, 'org' | 'id' | 'ends'>[]): void;
  state(): Omit<NonNullable<ServiceState['hosted']>, 'address'>;
  readonly figures: MetricsOnDemand;
}

/** Organizations shown. */
const SHOWN = 20;
/** The status if there was no response. */
const NONE = 'none';

/** Since the program was started. Stores nothing about an organization without requests. */
export function createHostedWatch(now: () => number): HostedWatch {
  const answers = new Map<string, { count: number; milliseconds: number }>();
  const orgs = new Map<string, { readonly waiting: Set<{ readonly since: number }>; running: number }>();
  let refused = 0;
  let standing: readonly Pick<StandingKey, 'org' | 'id' | 'ends'>[] = [];
  const waitsOf = () => [...orgs.values()].flatMap(({ waiting }) => [...waiting]);
  return {
    queued(org) {
      const at = orgs.get(org) ?? { waiting: new Set(), running: 0 };
      orgs.set(org, at);
      const queuedRequest = { since: now() };
      at.waiting.add(queuedRequest);
      return {
        started() {
          at.waiting.delete(queuedRequest);
          at.running += 1;
        },
        ended() {
          // If it was not started, it ended while waiting.
          if (!at.waiting.delete(queuedRequest)) at.running -= 1;
          if (at.running === 0 && at.waiting.size === 0 && orgs.get(org) === at) orgs.delete(org);
        },
      };
    },
    answered(status, milliseconds) {
      const counted = answers.get(String(status ?? NONE)) ?? { count: 0, milliseconds: 0 };
      answers.set(String(status ?? NONE), { count: counted.count + 1, milliseconds: counted.milliseconds + milliseconds });
    },
    refused: () => void (refused += 1),
    standing: (keys) => void (standing = keys),
    state: () => ({
      answers: [...answers]
        .map(([status, { count, milliseconds }]) => ({ status, count, average: Math.round(milliseconds / count) }))
        .toSorted((one, other) => (one.status < other.status ? -1 : 1)),
      organizations: [...orgs]
        .map(([org, { running, waiting }]) => ({ org, running, waiting: waiting.size }))
        .toSorted((one, other) => other.waiting - one.waiting || other.running - one.running)
        .slice(0, SHOWN),
      refused,
      keys: standing.map(({ org, id, ends }) => ({
        org,
        id,
        ...(ends === undefined ? {} : { ends: new Date(ends * 1000).toISOString() }),
      })),
    }),
    figures: {
      repoless_hosted_requests_total: {
        help: 'Requests to the hosted service, by the status of its answer; none: no answer came.',
        kind: 'total',
        label: 'status',
        read: () => Object.fromEntries([...answers].map(([status, { count }]) => [status, count])),
      },
      repoless_hosted_request_seconds_total: {
        help: 'Seconds that requests to the hosted service took, without the wait for their turn.',
        kind: 'total',
        read: () => [...answers.values()].reduce((sum, { milliseconds }) => sum + milliseconds / 1000, 0),
      },
      repoless_hosted_waiting_requests: {
        help: 'Requests to the hosted service that wait for their turn, because their organization has as many as it accepts.',
        kind: 'now',
        read: () => waitsOf().length,
      },
      repoless_hosted_longest_wait_seconds: {
        help: 'How long the oldest of them has waited; 0 if none is waiting.',
        kind: 'now',
        read: () => Math.max(0, ...waitsOf().map(({ since }) => (now() - since) / 1000)),
      },
      repoless_hosted_refused_tokens_total: {
        help: 'Tokens that the hosted service did not accept.',
        kind: 'total',
        read: () => refused,
      },
      repoless_hosted_standing_key_seconds: {
        help: 'Seconds until the standing API key of an organization ends; 0 or less: it has ended.',
        kind: 'now',
        label: 'organization',
        read: () => Object.fromEntries(standing.flatMap(({ org, ends }) => (ends === undefined ? [] : [[org, ends - now() / 1000]]))),
      },
    },
  };
}

/** An API key of the hosted service with which this service itself reads the sites of an organization. */
export interface StandingKey {
  readonly org: string;
  readonly id: string;
  readonly token: string;
  /** Seconds since 1970; absent if the key does not contain it. */
  readonly ends?: number;
}

const SETTING = 'UPSTREAM_KEYS_FILE';

/**
 * Reads a file with an API key on each line; empty lines and those that start with "#" are ignored. Throws a message that names the line,
 * but none of its content. An administrator's key is refused: it could do more than a check needs.
 */
export async function readStandingKeys(file: string): Promise<readonly StandingKey[]> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new Error(`The file of ${SETTING} cannot be read.`);
  });
  const keys = new Map<string, StandingKey>();
  for (const [index, line] of text.split('\n').entries()) {
    const token = line.trim();
    if (token === '' || token.startsWith('#')) continue;
    const key = standingKey(token, `Line ${index + 1} of the file of ${SETTING}`);
    if (keys.has(key.org)) throw new Error(`The file of ${SETTING} has two keys of the organization "${key.org}". Keep one of them.`);
    keys.set(key.org, key);
  }
  return [...keys.values()];
}

function standingKey(token: string, line: string): StandingKey {
  const { kind, id = '', subject = '', roles = [], expires } = readCredential(token);
  const org = /^([^/]+)\/\*?$/.exec(subject)?.[1];
  if (kind !== 'api-key' || org === undefined)
    throw new Error(
      `${line} is not an API key of an organization. Create one on the hosted service for all of its sites, with the role config_admin.`,
    );
  if (!roles.includes('config_admin'))
    throw new Error(`${line} is a key without the role config_admin, so it can neither list nor read sites. Create one with that role.`);
  if (roles.includes('admin'))
    throw new Error(`${line} is a key with the role admin, which can change who has access. Create one with only the role config_admin.`);
  return { org, id, token, ...(expires === undefined ? {} : { ends: expires }) };
}
