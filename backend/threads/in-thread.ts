import { Worker } from 'node:worker_threads';

/**
 * Work on what a tenant wrote whose time no bound of length keeps short. `script`: the text of a program (CommonJS) that finds
 * `workerData.input` and posts one message; as text, because a file would have to be found both in the sources and in the build.
 */
export interface ThreadWork {
  readonly script: string;
  readonly input: unknown;
  /** Milliseconds from when the thread begins. */
  readonly deadline: number;
}

/** The thread was ended before it answered. */
export class ThreadEnded extends Error {
  override readonly name = 'ThreadEnded';
  readonly reason: 'deadline' | 'memory';

  constructor(reason: 'deadline' | 'memory') {
    super(`A thread was ended: ${reason}.`);
    this.reason = reason;
  }
}

export type RunInThread = (work: ThreadWork) => Promise<unknown>;

/** Threads, so many at once; each does one work and ends, so that nothing of a tenant's stays for the next. */
export function createThreads(atOnce: number): RunInThread {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await run(work);
    } finally {
      // Whoever waited first takes the place over.
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}

/** Those of the program: the machine has processors for others, too. Rejects with ThreadEnded, or with what the script threw. */
export const runInThread: RunInThread = createThreads(2);

async function run({ script, input, deadline }: ThreadWork): Promise<unknown> {
  const worker = new Worker(script, { eval: true, workerData: { input }, resourceLimits: { maxOldGenerationSizeMb: MEGABYTES } });
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<unknown>((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', (error: NodeJS.ErrnoException) =>
        reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? new ThreadEnded('memory') : error),
      );
      worker.once('exit', () => reject(new Error('A thread ended without an answer.')));
      timer = setTimeout(() => reject(new ThreadEnded('deadline')), deadline);
    });
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}

/** What lives for longer in a thread: the largest input, some times over. */
const MEGABYTES = 512;
