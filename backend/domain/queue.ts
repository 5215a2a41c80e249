import { randomUUID } from 'node:crypto';

/** Who works on something until when. Times are by the clock that all nodes share. */
export interface Lease {
  readonly owner: string;
  readonly now: Date;
  /** Leases of others that end before this time are over. */
  readonly leased: Date;
  readonly until: Date;
}

export interface Task {
  readonly name: string;
  /** Whose work it is, usually an organization's. */
  readonly share: string;
  /**
   * Does it. `ending`: give back what is not done. A task that rejects is logged, and offered again only after the next look that nobody asked
   * for; until then it keeps its lease, or gives it back itself.
   */
  run(ending: AbortSignal): Promise<void>;
}

export interface QueueOptions {
  /** What the queue does, for the log. */
  readonly called: string;
  /** Whose its leases are, as operators see it. */
  readonly owner?: string;
  readonly store: { sharedTime(own: Date): Promise<Date>; readonly code: { readonly shared: boolean } };
  /** Tasks at once. */
  readonly atOnce: number;
  /** Milliseconds that a lease holds, */
  readonly lease: number;
  /** between looks that nobody asked for (absent: none), */
  readonly every?: number;
  /** and before tasks are asked to give back their work when the queue closes. */
  readonly patience?: number;
  /** Offers tasks, whoever's turn it is first. It is asked for as many as there is room for, and from its beginning whenever there may be more. */
  tasks(queue: Queue): AsyncIterable<Task>;
  now(): Date;
  /** An unexpected error, and what met it. */
  failed(what: string, error: unknown): void;
}

export interface Queue {
  readonly owner: string;
  lease(): Promise<Lease>;
  /** The names of the tasks under way, of one share or of all. */
  running(share?: string): string[];
  /** How many tasks of each share are under way. */
  shares(): ReadonlyMap<string, number>;
  isFull(): boolean;
  /** Looks for tasks. Resolves when as many are under way as there are, or may be. */
  wake(): Promise<void>;
  /** Looks, and resolves when no task is left. */
  drain(): Promise<void>;
  /** Takes no further task, and resolves when those under way have ended. */
  close(): Promise<void>;
}

/**
 * Does tasks of one kind beside each other, as many as may. Nodes share them by leases in the database: a task is somebody's until its lease ends,
 * so one that a program left when it was killed is taken up by the next one.
 */
export function startQueue(options: QueueOptions): Queue {
  const { called, store, atOnce, every, patience = 0, now, failed } = options;
  const underWay = new Map<string, { readonly share: string; readonly done: Promise<void> }>();
  const resting = new Set<string>();
  const ending = new AbortController();
  let [isClosed, again] = [false, false];
  let looking: Promise<void> | undefined;
  // An embedded store is this program's alone: whoever held a lease on it before is gone.
  let leased = store.code.shared ? undefined : new Date(FAR_FUTURE);

  const isFull = () => underWay.size >= atOnce;
  const queue: Queue = {
    owner: options.owner ?? randomUUID(),
    async lease() {
      const present = await store.sharedTime(now());
      return { owner: queue.owner, now: present, leased: leased ?? present, until: new Date(present.getTime() + options.lease) };
    },
    running: (share) => [...underWay].flatMap(([name, task]) => (share === undefined || task.share === share ? name : [])),
    shares() {
      const counts = new Map<string, number>();
      for (const { share } of underWay.values()) counts.set(share, (counts.get(share) ?? 0) + 1);
      return counts;
    },
    isFull,
    wake() {
      again = looking !== undefined;
      looking ??= takeTasks()
        .catch((error: unknown) => failed(called, error))
        .finally(() => {
          looking = undefined;
          if (again) void queue.wake();
        });
      return looking;
    },
    async drain() {
      await lookUnasked();
      while (looking !== undefined || underWay.size > 0) await Promise.all([looking, ...[...underWay.values()].map(({ done }) => done)]);
    },
    async close() {
      clearInterval(timer);
      isClosed = true;
      const giveBack = () => ending.abort(new Error('The service stops.'));
      const late = patience > 0 ? setTimeout(giveBack, patience) : giveBack();
      await looking;
      await Promise.all([...underWay.values()].map(({ done }) => done));
      clearTimeout(late ?? undefined);
    },
  };

  async function takeTasks(): Promise<void> {
    if (isClosed || isFull()) return;
    for await (const task of options.tasks(queue)) {
      if (!underWay.has(task.name) && !resting.has(task.name)) begin(task);
      if (isClosed || isFull()) break;
    }
    leased = undefined;
  }

  function begin({ name, share, run }: Task): void {
    const done = run(ending.signal)
      .catch((error: unknown) => {
        resting.add(name);
        failed(name, error);
      })
      .finally(() => {
        underWay.delete(name);
        if (!isClosed) void queue.wake();
      });
    underWay.set(name, { share, done });
  }

  const timer = every === undefined ? undefined : setInterval(() => void lookUnasked(), every);
  timer?.unref();
  function lookUnasked(): Promise<void> {
    resting.clear();
    return queue.wake();
  }
  return queue;
}

const FAR_FUTURE = '9999-12-31T00:00:00.000Z';
