import { Worker } from 'node:worker_threads';

/**
 * Work on a tenant's content whose time is not limited by its length. `script`: the text of a program (CommonJS) that reads
 * `workerData.input` and posts one message; as text, because a file would have to be found both in the sources and in the build.
 */
interface ThreadWork {
  readonly script: string;
  readonly input: unknown;
  /** Milliseconds from the start of the thread. */
  readonly deadline: number;
  /** The owner of the work: one at a time, so that no tenant waits for all work of another. Absent: unlimited. */
  readonly share?: string;
  /** The answer is no longer needed: the thread is ended immediately. */
  readonly signal?: AbortSignal;
}

export class ThreadEnded extends Error {
  override readonly name = 'ThreadEnded';
  readonly reason: 'deadline' | 'memory';

  constructor(reason: 'deadline' | 'memory') {
    super(`A thread was ended: ${reason}.`);
    this.reason = reason;
  }
}

type RunInThread = (work: ThreadWork) => Promise<unknown>;

interface Waiting {
  readonly share: string | undefined;
  readonly start: () => void;
}

/** A limited number of threads; each does one piece of work and ends, so that nothing of a tenant is left for the next. */
export function createThreads(atOnce: number): RunInThread {
  const waiting: Waiting[] = [];
  const shares = new Set<string>();
  let running = 0;

  const mayBegin = ({ share }: Pick<Waiting, 'share'>) => running < atOnce && (share === undefined || !shares.has(share));
  /** The one that waited longest gets the slot, among shares without one. */
  const next = () => {
    const [first] = waiting.splice(waiting.findIndex(mayBegin) >>> 0, 1);
    first?.start();
  };
  const turn = async ({ share, signal }: ThreadWork) => {
    const start = () => {
      running += 1;
      if (share !== undefined) shares.add(share);
    };
    if (mayBegin({ share })) return start();
    await new Promise<void>((resolve, reject) => {
      const one = { share, start: () => resolve(start()) };
      waiting.push(one);
      onAbort(signal, (reason) => {
        const position = waiting.indexOf(one);
        if (position >= 0) waiting.splice(position, 1);
        reject(reason);
      });
    });
  };
  return async (work) => {
    work.signal?.throwIfAborted();
    await turn(work);
    try {
      return await run(work);
    } finally {
      running -= 1;
      if (work.share !== undefined) shares.delete(work.share);
      next();
    }
  };
}

/** The program's own threads. Rejects with ThreadEnded, with what the script threw, or with the reason of the signal. */
export const runInThread: RunInThread = createThreads(2);

async function run({ script, input, deadline, signal }: ThreadWork): Promise<unknown> {
  const worker = new Worker(`${YIELDING}${script}`, {
    eval: true,
    workerData: { input },
    resourceLimits: { maxOldGenerationSizeMb: MEGABYTES },
  });
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<unknown>((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', (error: NodeJS.ErrnoException) =>
        reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? new ThreadEnded('memory') : error),
      );
      worker.once('exit', () => reject(new Error('A thread ended without an answer.')));
      timer = setTimeout(() => reject(new ThreadEnded('deadline')), deadline);
      onAbort(signal, reject);
    });
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}

function onAbort(signal: AbortSignal | undefined, left: (reason: unknown) => void): void {
  if (signal?.aborted === true) left(signal.reason);
  else signal?.addEventListener('abort', () => left(signal.reason), { once: true });
}

/** Long-lived data in a thread: several times the largest input. */
const MEGABYTES = 512;
/** Linux gives each thread its own priority: with few processors, requests come first. Elsewhere it would be that of the whole process. */
const YIELDING = `
if (process.platform === 'linux') {
  try {
    require('node:os').setPriority(10);
  } catch {}
}
`;
