import { expect, it } from 'vitest';
import { createThreads, ThreadEnded } from '@repoless/service/threads/in-thread.ts';
import { turnsDuring } from '../support/loop-delay.ts';

const HOUR = 3_600_000;
const ANSWER = "const { parentPort, workerData } = require('node:worker_threads'); parentPort.postMessage(workerData.input);";
const FOR_EVER = 'for (;;);';
const MEMORY = 'const kept = []; for (;;) kept.push(new Array(1000).fill(kept.length));';

it('a thread answers with what its script posts', async () => {
  expect(await createThreads(1)({ script: ANSWER, input: { a: [1] }, deadline: HOUR, share: 'one' })).toEqual({ a: [1] });
});

it('a thread that works for ever is ended, others have their turn meanwhile, and the next one begins', async () => {
  const runInThread = createThreads(1);
  const ended = runInThread({ script: FOR_EVER, input: 1, deadline: 300, share: 'one' });
  const next = runInThread({ script: ANSWER, input: 2, deadline: HOUR, share: 'one' });
  expect(await turnsDuring(() => expect(ended).rejects.toEqual(new ThreadEnded('deadline')))).toBeGreaterThan(10);
  expect(await next).toBe(2);
});

it('a thread that takes more memory than it may is ended, and the program goes on', { timeout: 120_000 }, async () => {
  await expect(createThreads(1)({ script: MEMORY, input: 1, deadline: HOUR, share: 'one' })).rejects.toEqual(new ThreadEnded('memory'));
});

it('what a script throws is the answer, and so is an end without one', async () => {
  const runInThread = createThreads(1);
  await expect(runInThread({ script: "throw new Error('odd')", input: 1, deadline: HOUR, share: 'one' })).rejects.toThrow('odd');
  await expect(runInThread({ script: '', input: 1, deadline: HOUR, share: 'one' })).rejects.toThrow('A thread ended without an answer.');
});

it('no more threads work at once than are let, and those that wait begin in their order', async () => {
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

it('of one share a thread works at a time, and another share waits for none of its works', async () => {
  const runInThread = createThreads(2);
  const leave = new AbortController();
  const [first, second] = [1, 2].map((input) =>
    runInThread({ script: input === 1 ? FOR_EVER : ANSWER, input, deadline: HOUR, share: 'many', signal: leave.signal }),
  );
  expect(await runInThread({ script: ANSWER, input: 3, deadline: HOUR, share: 'few' })).toBe(3);
  const ended = Promise.allSettled([first, second]);
  leave.abort(new Error('Nobody waits.'));
  const reason = expect.objectContaining({ message: 'Nobody waits.' }) as unknown;
  expect(await ended).toEqual([1, 2].map(() => ({ status: 'rejected', reason })));
});

it('a thread is ended, and a place is free, as soon as nobody waits for its answer', async () => {
  const runInThread = createThreads(1);
  const leave = new AbortController();
  const asked = runInThread({ script: FOR_EVER, input: 1, deadline: HOUR, share: 'one', signal: leave.signal });
  const next = runInThread({ script: ANSWER, input: 2, deadline: HOUR, share: 'two' });
  setImmediate(() => leave.abort(new Error('The service stops.')));
  await expect(asked).rejects.toThrow('The service stops.');
  expect(await next).toBe(2);
  const late = runInThread({ script: ANSWER, input: 3, deadline: HOUR, share: 'one', signal: leave.signal });
  await expect(late).rejects.toThrow('The service stops.');
});
