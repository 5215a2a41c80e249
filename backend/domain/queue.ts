import { randomUUID } from 'node:crypto';

/** Who works on something, and until when. Times are by the clock that all nodes share. */
export interface Lease {
  readonly owner: string;
  readonly now: Date;
  /** Leases of others that end before this time have expired. */
  readonly leased: Date;
  readonly until: Date;
}

export interface Task {
  readonly name: string;
  /** The owner of the work, usually an organization. */
  readonly share: string;
  /**
   * Does it. `ending`: release what is unfinished. A task that rejects is logged, and offered again only after the next scheduled search;
   * until then it keeps its lease, or releases it itself.
   */
  run(ending: AbortSignal): Promise<void>;
}

export interface QueueOptions {
  /** What the queue does, for the log. */
  readonly workName: string;
  /** The owner of its leases, as operators see it. */
  readonly owner?: string;
  readonly store: { sharedTime(own: Date): Promise<Date>; readonly code: { readonly shared: boolean } };
  readonly atOnce: number;
  /** Milliseconds of a lease, */
  readonly lease: number;
  /** between scheduled searches (absent: none), */
  readonly every?: number;
  /** and before tasks are asked to release their work when the queue closes. */
  readonly grace?: number;
  /** Yields tasks, in the order of their turns. Read only while there are free slots, and restarted whenever there may be more. */
  tasks(queue: Queue): AsyncIterable<Task>;
  now(): Date;
  failed(what: string, error: unknown): void;
}

export interface Queue {
  readonly owner: string;
  lease(): Promise<Lease>;
  running(share?: string): string[];
  shares(): ReadonlyMap<string, number>;
  isFull(): boolean;
  /** Searches for tasks. Resolves when as many are running as exist, or as are allowed. */
  wake(): Promise<void>;
  /** Searches, and resolves when no task is left. */
  drain(): Promise<void>;
  /** Starts no further task, and resolves when the running ones have ended. */
  close(): Promise<void>;
}

/**
 * Runs tasks of one kind concurrently, up to a limit. Nodes share them by leases in the database: a task is claimed until its lease ends,
 * so the next node resumes what a killed program left.
 */
export function startQueue(options: QueueOptions): Queue {
  const { workName, store, atOnce, every, grace = 0, now, failed } = options;
  const inProgress = new Map<string, { readonly share: string; readonly done: Promise<void> }>();
  const resting = new Set<string>();
  const ending = new AbortController();
  let [isClosed, isWokenAgain] = [false, false];
  let polling: Promise<void> | undefined;
  // An embedded store belongs to this program only: earlier lease holders no longer exist.
  let leased = store.code.shared ? undefined : new Date(FAR_FUTURE);

  const isFull = () => inProgress.size >= atOnce;
  const queue: Queue = {
    owner: options.owner ?? randomUUID(),
    async lease() {
      const current = await store.sharedTime(now());
      return { owner: queue.owner, now: current, leased: leased ?? current, until: new Date(current.getTime() + options.lease) };
    },
    running: (share) => [...inProgress].flatMap(([name, task]) => (share === undefined || task.share === share ? name : [])),
    shares() {
      const counts = new Map<string, number>();
      for (const { share } of inProgress.values()) counts.set(share, (counts.get(share) ?? 0) + 1);
      return counts;
    },
    isFull,
    wake() {
      isWokenAgain = polling !== undefined;
      polling ??= takeTasks()
        .catch((error: unknown) => failed(workName, error))
        .finally(() => {
          polling = undefined;
          if (isWokenAgain) void queue.wake();
        });
      return polling;
    },
    async drain() {
      await poll();
      while (polling !== undefined || inProgress.size > 0)
        await Promise.all([polling, ...[...inProgress.values()].map(({ done }) => done)]);
    },
    async close() {
      clearInterval(timer);
      isClosed = true;
      const release = () => ending.abort(new Error('The service stops.'));
      const timeout = grace > 0 ? setTimeout(release, grace) : release();
      await polling;
      await Promise.all([...inProgress.values()].map(({ done }) => done));
      clearTimeout(timeout ?? undefined);
    },
  };

  async function takeTasks(): Promise<void> {
    if (isClosed || isFull()) return;
    for await (const task of options.tasks(queue)) {
      if (!inProgress.has(task.name) && !resting.has(task.name)) start(task);
      if (isClosed || isFull()) break;
    }
    leased = undefined;
  }

  function start({ name, share, run }: Task): void {
    const done = run(ending.signal)
      .catch((error: unknown) => {
        resting.add(name);
        failed(name, error);
      })
      .finally(() => {
        inProgress.delete(name);
        if (!isClosed) void queue.wake();
      });
    inProgress.set(name, { share, done });
  }

  const timer = every === undefined ? undefined : setInterval(() => void poll(), every);
  timer?.unref();
  function poll(): Promise<void> {
    resting.clear();
    return queue.wake();
  }
  return queue;
}

const FAR_FUTURE = '9999-12-31T00:00:00.000Z';
