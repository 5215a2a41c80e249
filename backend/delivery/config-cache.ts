import type { Reads } from '#backend/domain/ports.ts';
import { configAnswer } from './config-answer.ts';
import { NO_CONFIG, UNKNOWN_HOST } from './site-answers.ts';
import type { ReadyAnswer } from './site-answers.ts';

export interface SiteId {
  readonly org: string;
  readonly site: string;
}

export interface ConfigCache {
  /** The answer of a host that was asked before, at once; undefined where it must be loaded. */
  ready(host: string): ReadyAnswer | undefined;
  /** The answer for a host of this site, loaded where it is not known. Rejects where the storage does. */
  load(host: string, id: SiteId): Promise<ReadyAnswer>;
  /** The site changed: from now on no answer is given that was read before. */
  forget(org: string, site: string): void;
  /** Any site may have changed. */
  forgetAll(): void;
}

interface CacheSource {
  readonly reads: Pick<Reads, 'publicConfig' | 'site'>;
  isHearing(): boolean;
}

interface Entry {
  answer: ReadyAnswer | undefined;
  loading: Promise<ReadyAnswer> | undefined;
  readonly hosts: Set<string>;
  size: number;
}

/** What an entry weighs beside its bytes, roughly. */
const OVERHEAD = 1024;
/** Branches of one site that are remembered: each is a host of its own, and anybody can make them up. */
const HOSTS_OF_A_SITE = 32;

/**
 * Ready bytes of `/config.json`, by host (docs/contract.md 6.2). Used only while the node hears of changes. Never stale: a
 * load that a change overtakes still answers those who asked before the change was acknowledged, but its result is not kept,
 * and who asks afterwards does not join it. Bounded in bytes; what was loaded first goes first.
 */
export function createConfigCache({ reads, isHearing }: CacheSource, limit: number): ConfigCache {
  const hosts = new Map<string, Entry>();
  const entries = new Map<string, Entry>();
  let size = 0;

  function entryOf(host: string, key: string): Entry {
    const entry = entries.get(key) ?? { answer: undefined, loading: undefined, hosts: new Set<string>(), size: 0 };
    entries.set(key, entry);
    if (entry.hosts.size < HOSTS_OF_A_SITE) {
      entry.hosts.add(host);
      hosts.set(host, entry);
    }
    return entry;
  }

  function drop(key: string, entry: Entry): void {
    entries.delete(key);
    for (const host of entry.hosts) hosts.delete(host);
    size -= entry.size;
    entry.size = 0;
    entry.answer = undefined;
    entry.loading = undefined;
  }

  function keep(entry: Entry, answer: ReadyAnswer): void {
    entry.answer = answer;
    entry.size = answer.bytes.length + OVERHEAD;
    size += entry.size;
    for (const [key, oldest] of entries) {
      if (size <= limit) break;
      if (oldest !== entry) drop(key, oldest);
    }
  }

  /** What is read now may be newer than what is kept, whose news is still to come: nobody shall get the older one afterwards. */
  async function readUnheard({ org, site }: SiteId): Promise<ReadyAnswer> {
    const answer = await readAnswer(reads, { org, site });
    forget(org, site);
    return answer;
  }

  function forget(org: string, site: string): void {
    const entry = entries.get(`${org}/${site}`);
    if (entry !== undefined) drop(`${org}/${site}`, entry);
  }

  return {
    ready: (host) => (isHearing() ? hosts.get(host)?.answer : undefined),
    load(host, { org, site }) {
      // Nor does anybody wait here for what another began to read before.
      if (!isHearing()) return readUnheard({ org, site });
      const entry = entryOf(host, `${org}/${site}`);
      if (entry.answer !== undefined) return Promise.resolve(entry.answer);
      if (entry.loading !== undefined) return entry.loading;
      const loading = readAnswer(reads, { org, site }).then(
        (answer) => {
          if (entry.loading !== loading) return answer;
          entry.loading = undefined;
          if (isHearing()) keep(entry, answer);
          else drop(`${org}/${site}`, entry);
          return answer;
        },
        (error: unknown) => {
          if (entry.loading === loading) drop(`${org}/${site}`, entry);
          throw error;
        },
      );
      entry.loading = loading;
      return loading;
    },
    forget,
    forgetAll() {
      for (const [key, entry] of entries) drop(key, entry);
    },
  };
}

async function readAnswer(reads: Pick<Reads, 'publicConfig' | 'site'>, { org, site }: SiteId): Promise<ReadyAnswer> {
  const found = await reads.publicConfig(org, site);
  if (found !== undefined) return configAnswer(found);
  return (await reads.site(org, site)) === undefined ? UNKNOWN_HOST : NO_CONFIG;
}
