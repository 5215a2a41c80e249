import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Refusal } from '@repoless/contract/refusal.ts';
import type { BlobPlace, ByteRange, CondemnedBlobs } from './rules/ports.ts';

export interface BlobStore {
  /** Returns the SHA-256 in hexadecimal. The blob stays for as long as a sync may take, whether or not it is served. */
  put(bytes: Uint8Array): Promise<string>;
  /** Which of these exist in full length; they stay as long. */
  keep(wanted: readonly Kept[]): Promise<ReadonlySet<string>>;
  read(hash: string): Promise<Uint8Array>;
  stream(hash: string, range: ByteRange): AsyncIterable<Uint8Array>;
  /** Removes what was unused a while ago and still is; returns how many. `isWanted`: what is used, determined after `now`. */
  sweep(isWanted: (hash: string) => boolean, now: Date): Promise<number>;
}

interface Kept {
  readonly hash: string;
  readonly size: number;
}

/**
 * No blob is removed that a sync relies on, whichever nodes sync and sweep. Blobs that no branch serves are condemned in the database, and taken
 * and removed after `grace` milliseconds. A sync rescues a blob before it checks whether it exists; a branch that names it is served before
 * `grace` has passed.
 */
export function createBlobStore(place: BlobPlace, condemned: CondemnedBlobs, { grace, now }: { grace: number; now(): Date }): BlobStore {
  async function rescue(hashes: readonly string[]): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      const held = await condemned.rescue(hashes);
      if (held.length === 0) return;
      if (attempt === ATTEMPTS) throw new Refusal('STORAGE_UNAVAILABLE', BEING_REMOVED, { retryAfter: REMOVAL / 1000 });
      await condemned.giveUp(new Date(now().getTime() - REMOVAL));
      await pause(PAUSE);
    }
  }

  return {
    async put(bytes) {
      const hash = createHash('sha256').update(bytes).digest('hex');
      await rescue([hash]);
      await place.write(hash, bytes);
      return hash;
    },
    async keep(wanted) {
      const kept = new Set<string>();
      for (let at = 0; at < wanted.length; at += PORTION) {
        const portion = wanted.slice(at, at + PORTION);
        await rescue(portion.map(({ hash }) => hash));
        const probes = createWorkPool(PROBES);
        for (const { hash, size } of portion)
          await probes.add(0, async () => {
            if ((await place.size(hash)) === size) kept.add(hash);
          });
        await probes.ended();
      }
      return kept;
    },
    read: (hash) => place.read(hash),
    stream: (hash, range) => place.stream(hash, range),
    async sweep(isWanted, at) {
      const before = new Date(at.getTime() - grace);
      await condemned.giveUp(new Date(at.getTime() - REMOVAL));
      let removed = 0;
      for (let after: string | undefined = ''; after !== undefined;) {
        const due: string[] = await condemned.due(before, after, PORTION);
        after = due.at(-1);
        await condemned.rescue(due.filter(isWanted));
        const unwanted = due.filter((hash) => !isWanted(hash));
        const taken = await condemned.take(unwanted, before, at);
        if (taken.length === 0) continue;
        await place.remove(taken);
        await condemned.removed(taken);
        removed += taken.length;
      }
      for await (const names of place.names()) {
        const unwanted = names.filter((name) => !isWanted(name));
        for (let first = 0; first < unwanted.length; first += PORTION) await condemned.condemn(unwanted.slice(first, first + PORTION), at);
      }
      return removed;
    },
  };
}

const PORTION = 500;
const PROBES = { count: 32, bytes: Infinity };
/** Milliseconds after which an unfinished removal is considered over: its last request has long ended. */
const REMOVAL = 5 * 60 * 1000;
const ATTEMPTS = 20;
const PAUSE = 250;
const BEING_REMOVED = 'A file of this branch is being removed, because no other branch used it. It can be stored again in a few minutes.';

/** Runs work concurrently, up to a count and a number of held bytes; larger work runs by itself. */
export function createWorkPool({ count, bytes }: { count: number; bytes: number }) {
  const running = new Set<Promise<void>>();
  let held = 0;
  let failure: { readonly error: unknown } | undefined;
  const refuseAfterFailure = () => {
    if (failure !== undefined) throw failure.error;
  };
  return {
    /** Starts work as soon as there is capacity for it. Rejects with the first error of any work. */
    async add(size: number, work: () => Promise<void>): Promise<void> {
      while (running.size >= count || (running.size > 0 && held + size > bytes)) await Promise.race(running);
      refuseAfterFailure();
      held += size;
      const done = work()
        .catch((error: unknown) => void (failure ??= { error }))
        .finally(() => {
          held -= size;
          running.delete(done);
        });
      running.add(done);
    },
    /** Settles when all work has ended. Rejects with the first error. */
    async ended(): Promise<void> {
      await Promise.all(running);
      refuseAfterFailure();
    },
  };
}
