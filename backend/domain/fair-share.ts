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
  /** Does a work when its turn comes. Rejects with OVERLOADED at once where too many wait already. */
  run<T>(share: string, work: () => Promise<T>): Promise<T>;
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
  /** The share that had its turn longest ago is first: a share that was served goes to the end. */
  const next = () => {
    for (const [share, queue] of queues) {
      if (!mayBegin(share)) continue;
      const resume = queue.shift();
      queues.delete(share);
      if (queue.length > 0) queues.set(share, queue);
      if (resume === undefined) continue;
      waiting -= 1;
      begin(share);
      resume();
      return;
    }
  };

  return {
    async run(share, work) {
      const queue = queues.get(share);
      if (queue === undefined && mayBegin(share)) begin(share);
      else {
        if ((queue?.length ?? 0) >= bounds.waitingPerShare) throw overloaded(`${bounds.called} of ${bounds.of ?? 'this organization'}`);
        if (waiting >= bounds.waiting) throw overloaded(bounds.called);
        waiting += 1;
        await new Promise<void>((resume) => {
          if (queue === undefined) queues.set(share, [resume]);
          else queue.push(resume);
        });
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
