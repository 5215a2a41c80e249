import { Refusal } from './errors.ts';

export interface ShareBounds {
  /** Works at once, and of them for one share. */
  readonly atOnce: number;
  readonly perShare: number;
  /** Works of one share, and of all, that wait. */
  readonly waitingPerShare: number;
  readonly waiting: number;
  /** What the works are, in the plural, for sentences: "pages". */
  readonly called: string;
  /** Whose a share is; absent: this organization's. */
  readonly of?: string;
}

/** Works that are done in turn over those who ask for them, so that who asks for many waits for their own. */
export interface FairShare {
  /** Does a work when its turn comes. Rejects with OVERLOADED at once where too many wait already, and when `patience` ends before its turn. */
  run<T>(share: string, work: () => Promise<T>, patience?: AbortSignal): Promise<T>;
}

/** In: the bounds. Shares are organizations; one without works is forgotten. */
export function createFairShare(bounds: ShareBounds): FairShare {
  const running = new Map<string, number>();
  const queues = new Map<string, (() => void)[]>();
  let atWork = 0;
  let waiting = 0;

  const mayBegin = (share: string) => atWork < bounds.atOnce && (running.get(share) ?? 0) < bounds.perShare;
  const begin = (share: string) => {
    atWork += 1;
    running.set(share, (running.get(share) ?? 0) + 1);
  };
  const end = (share: string) => {
    atWork -= 1;
    const left = (running.get(share) ?? 1) - 1;
    if (left === 0) running.delete(share);
    else running.set(share, left);
    next();
  };
  /** The share with the fewest works under way is first; of several the one that had its turn longest ago: a share that was served goes to the end. */
  const next = () => {
    const [share] = [...queues.keys()].filter(mayBegin).toSorted((one, other) => (running.get(one) ?? 0) - (running.get(other) ?? 0));
    const resume = share === undefined ? undefined : queues.get(share)?.[0];
    if (share === undefined || resume === undefined) return;
    leave(share, resume);
    const queue = queues.get(share);
    queues.delete(share);
    if (queue !== undefined) queues.set(share, queue);
    begin(share);
    resume();
  };
  /** Waits no longer. False where it did not. */
  const leave = (share: string, resume: () => void): boolean => {
    const queue = queues.get(share) ?? [];
    const place = queue.indexOf(resume);
    if (place < 0) return false;
    queue.splice(place, 1);
    if (queue.length === 0) queues.delete(share);
    waiting -= 1;
    return true;
  };
  const turn = (share: string, patience: AbortSignal | undefined) =>
    new Promise<void>((resume, reject) => {
      const queue = queues.get(share);
      if (queue === undefined) queues.set(share, [resume]);
      else queue.push(resume);
      waiting += 1;
      patience?.addEventListener('abort', () => leave(share, resume) && reject(overloaded(bounds.called)), { once: true });
    });

  return {
    async run(share, work, patience) {
      const queue = queues.get(share);
      if (queue === undefined && mayBegin(share)) begin(share);
      else {
        if ((queue?.length ?? 0) >= bounds.waitingPerShare) throw overloaded(`${bounds.called} of ${bounds.of ?? 'this organization'}`);
        if (waiting >= bounds.waiting) throw overloaded(bounds.called);
        await turn(share, patience);
      }
      try {
        return await work();
      } finally {
        end(share);
      }
    },
  };
}

function overloaded(works: string): Refusal {
  return new Refusal('OVERLOADED', `Too many ${works} are asked for at once. Try again in a second.`, { retryAfter: 1 });
}
