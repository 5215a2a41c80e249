import { expect, it } from 'vitest';
import { createThreads, ThreadEnded } from '@repoless/service/threads/in-thread.ts';
import { turnsDuring } from '../support/loop-delay.ts';

const HOUR = 3_600_000;
const ANSWER = "const { parentPort, workerData } = require('node:worker_threads'); parentPort.postMessage(workerData.input);";
const FOR_EVER = 'for (;;);';
const MEMORY = 'const kept = []; for (;;) kept.push(new Array(1000).fill(kept.length));';

it('a thread returns what its script posts', async () => {
  expect(await createThreads(1)({ script: ANSWER, input: { a: [1] }, deadline: HOUR, share: 'one' })).toEqual({ a: [1] });
});

it('an endless thread is terminated without blocking other work, and the next one starts', async () => {
  const runInThread = createThreads(1);
  const ended = runInThread({ script: FOR_EVER, input: 1, deadline: 300, share: 'one' });
  const next = runInThread({ script: ANSWER, input: 2, deadline: HOUR, share: 'one' });
  expect(await turnsDuring(() => expect(ended).rejects.toEqual(new ThreadEnded('deadline')))).toBeGreaterThan(10);
  expect(await next).toBe(2);
});

it('a thread that exceeds its memory is terminated, and the program continues', { timeout: 120_000 }, async () => {
  await expect(createThreads(1)({ script: MEMORY, input: 1, deadline: HOUR, share: 'one' })).rejects.toEqual(new ThreadEnded('memory'));
});

it('an error of the script, and an end without a result, reject the call', async () => {
  const runInThread = createThreads(1);
  await expect(runInThread({ script: "throw new Error('odd')", input: 1, deadline: HOUR, share: 'one' })).rejects.toThrow('odd');
  await expect(runInThread({ script: '', input: 1, deadline: HOUR, share: 'one' })).rejects.toThrow('A thread ended without an answer.');
});

it('only as many threads as allowed run at once, and waiting ones start later', async () => {
  const runInThread = createThreads(2);
  const started: number[] = [];
  const shared = new Int32Array(new SharedArrayBuffer(4));
  const hold =
    "const { parentPort, workerData } = require('node:worker_threads'); Atomics.wait(workerData.input, 0, 0); parentPort.postMessage('held');";
  const held = ['one', 'two'].map((share) => runInThread({ script: hold, input: shared, deadline: HOUR, share }));
  const waiting = [3, 4].map((input) =>
    runInThread({ script: ANSWER, input, deadline: HOUR, share: `${input}` }).then((answer) => started.push(Number(answer))),
  );
  await turnsDuring(() => createThreads(1)({ script: ANSWER, input: 0, deadline: HOUR, share: 'one' }));
  expect(started).toEqual([]);
  Atomics.store(shared, 0, 1);
  await expect
    .poll(async () => {
      Atomics.notify(shared, 0);
      return started.toSorted((one, other) => one - other);
    })
    .toEqual([3, 4]);
  expect(await Promise.all(held)).toEqual(['held', 'held']);
  await Promise.all(waiting);
});

it('one thread of a share runs at a time, and delays no other share', async () => {
  const runInThread = createThreads(2);
  const aborting = new AbortController();
  const [first, second] = [1, 2].map((input) =>
    runInThread({ script: input === 1 ? FOR_EVER : ANSWER, input, deadline: HOUR, share: 'many', signal: aborting.signal }),
  );
  expect(await runInThread({ script: ANSWER, input: 3, deadline: HOUR, share: 'few' })).toBe(3);
  const ended = Promise.allSettled([first, second]);
  aborting.abort(new Error('The caller aborted.'));
  const reason = expect.objectContaining({ message: 'The caller aborted.' }) as unknown;
  expect(await ended).toEqual([1, 2].map(() => ({ status: 'rejected', reason })));
});

it('a thread is terminated, and its slot released, as soon as its caller aborts', async () => {
  const runInThread = createThreads(1);
  const aborting = new AbortController();
  const call = runInThread({ script: FOR_EVER, input: 1, deadline: HOUR, share: 'one', signal: aborting.signal });
  const next = runInThread({ script: ANSWER, input: 2, deadline: HOUR, share: 'two' });
  setImmediate(() => aborting.abort(new Error('The service stops.')));
  await expect(call).rejects.toThrow('The service stops.');
  expect(await next).toBe(2);
  const late = runInThread({ script: ANSWER, input: 3, deadline: HOUR, share: 'one', signal: aborting.signal });
  await expect(late).rejects.toThrow('The service stops.');
});
