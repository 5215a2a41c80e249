import { setTimeout as pause } from 'node:timers/promises';
import { createAsk } from '../bench/ask.ts';
import type { Mixed } from './mix.ts';
import type { SoakWorld } from './soak-world.ts';

export interface TrafficFigures {
  readonly answered: number;
  /** Answered 503: the service had too much to do. */
  readonly refused: number;
  /** Not sent, because too many were under way. */
  readonly left: number;
  /** What failed and how often: none of these is right. */
  readonly failures: Readonly<Record<string, number>>;
}

export interface Traffic {
  /** Sends one call after the other on so many connections. Out: answers per second. */
  calibrate(seconds: number): Promise<number>;
  /** Sends so many calls a second, whether others were answered or not, until the signal comes. */
  keep(perSecond: number, signal: AbortSignal): Promise<void>;
  figures(): TrafficFigures;
}

const CONNECTIONS = 32;
const MOST_OPEN = 400;
/** Milliseconds between two looks at how many calls are due. */
const TICK = 10;

export function createTraffic(world: SoakWorld, next: (count: number) => Mixed): Traffic {
  const ask = createAsk();
  const failures = new Map<string, number>();
  let [sent, answered, refused, left, open] = [0, 0, 0, 0, 0];

  async function send(): Promise<void> {
    sent += 1;
    const { name, program, call } = next(sent);
    open += 1;
    const outcome = await ask(world[program], call).then(
      ({ status }) => status,
      (error: unknown) => String(Object(error).code ?? error),
    );
    open -= 1;
    // Build management says by 502 that the service, which it asks, refused.
    const isRefused = outcome === 503 || (outcome === 502 && program === 'buildManagement');
    if (isRefused) refused += 1;
    else if (typeof outcome === 'number' && outcome < 400) answered += 1;
    else failures.set(`${name}: ${outcome}`, (failures.get(`${name}: ${outcome}`) ?? 0) + 1);
  }

  return {
    async calibrate(seconds) {
      const [begin, before] = [performance.now(), answered];
      const worker = async () => {
        while (performance.now() - begin < seconds * 1000) await send();
      };
      await Promise.all(Array.from({ length: CONNECTIONS }, worker));
      return (answered - before) / ((performance.now() - begin) / 1000);
    },
    async keep(perSecond, signal) {
      const sending = new Set<Promise<void>>();
      let due = 0;
      for (let last = performance.now(); !signal.aborted;) {
        await pause(TICK);
        const present = performance.now();
        due += ((present - last) / 1000) * perSecond;
        last = present;
        for (; due >= 1; due -= 1) {
          if (open >= MOST_OPEN) {
            left += 1;
            continue;
          }
          const one = send();
          sending.add(one);
          void one.finally(() => sending.delete(one));
        }
      }
      await Promise.all(sending);
    },
    figures: () => ({ answered, refused, left, failures: Object.fromEntries(failures) }),
  };
}
