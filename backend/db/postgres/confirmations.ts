import { setTimeout as later } from 'node:timers/promises';
import { LEASE } from '../hearing.ts';
import type { ListeningNode } from './listeners.ts';
import { confirmationOf, markPayload } from './marks.ts';

/** Lets a write be acknowledged when every node has heard of it. */
export interface Confirmations {
  /**
   * In: what stores and tells something in one transaction, with this mark told last, and whether its result says that it did.
   * Out: the result, and what settles when no node answers as it was before; it never rejects.
   */
  tell<T>(store: (mark: string) => Promise<T>, didTell: (result: T) => boolean): Promise<Told<T>>;
  /**
   * In: what tells nothing but this mark. Out: what settles when no node answers as it was before what is stored by now, be it by another node;
   * it never rejects. Where nothing can be told it is the whole lease, as for `tell`.
   */
  known(mark: (mark: string) => Promise<unknown>): Promise<void>;
  /** What came on the channel of this node. */
  heard(payload: string): void;
}

export interface Told<T> {
  readonly result: T;
  readonly everywhere: Promise<void>;
}

interface ConfirmationsOptions {
  /** This node. */
  readonly node: string;
  /** The others that may use what they keep ready. */
  listening(): Promise<readonly ListeningNode[]>;
  log(message: string, error: unknown): void;
}

interface Open {
  readonly confirmed: Set<string>;
  confirm(node: string): void;
}

/**
 * A node keeps nothing ready that was read before a commit, once it heard of that commit, once its lease ran out, or where it
 * began to listen after the commit. Those that listened before it are registered when the commit is answered: they are asked
 * for then, and each is waited for until it confirms or its lease runs out. Where nobody can say who they are, it is the whole lease.
 */
export function createConfirmations({ node, listening, log }: ConfirmationsOptions): Confirmations {
  const open = new Map<number, Open>();
  const silent = new Set<string>();
  let last = 0;

  function everywhere(mark: Open): Promise<void> {
    return new Promise((resolve) => {
      const waiting = new Map<string, NodeJS.Timeout>();
      const end = (one: string) => {
        clearTimeout(waiting.get(one));
        if (waiting.delete(one) && waiting.size === 0) resolve();
      };
      waiting.set(ANYBODY, setTimeout(end, LEASE + TICK, ANYBODY));
      mark.confirm = end;
      listening().then(
        (others) => {
          if (!waiting.has(ANYBODY)) return;
          for (const { node: one, name, remaining } of others) {
            if (mark.confirmed.has(one)) continue;
            const lapse = () => {
              if (!silent.has(one)) log(`The node ${name} does not confirm writes; one write waited until its lease expired.`, undefined);
              silent.add(one);
              end(one);
            };
            waiting.set(one, setTimeout(lapse, Math.min(remaining, LEASE) + TICK));
          }
          end(ANYBODY);
        },
        () => undefined,
      );
    });
  }

  const confirmations: Confirmations = {
    async tell(store, didTell) {
      last += 1;
      const number = last;
      const confirmed = new Set<string>();
      const mark: Open = { confirmed, confirm: () => undefined };
      open.set(number, mark);
      const forget = () => void open.delete(number);
      try {
        const result = await store(markPayload({ node, number }));
        if (didTell(result)) return { result, everywhere: everywhere(mark).then(forget) };
        forget();
        return { result, everywhere: Promise.resolve() };
      } catch (error) {
        forget();
        throw error;
      }
    },
    async known(mark) {
      const told = await confirmations.tell(mark, () => true).catch(() => undefined);
      await (told === undefined ? later(LEASE + TICK) : told.everywhere);
    },
    heard(payload) {
      const found = confirmationOf(payload);
      if (found === undefined) return;
      silent.delete(found.node);
      for (const number of found.numbers) {
        const mark = open.get(number);
        mark?.confirmed.add(found.node);
        mark?.confirm(found.node);
      }
    },
  };
  return confirmations;
}

/** Stands for all nodes as long as it is not known which there are. */
const ANYBODY = '';
/** A timer may ring a little too early. */
const TICK = 2;
