import { expect, it } from 'vitest';
import { createThreads, ThreadEnded } from '#backend/threads/in-thread.ts';
import { turnsDuring } from '../support/turns-during.ts';

const HOUR = 3_600_000;
const ANSWER = "const { parentPort, workerData } = require('node:worker_threads'); parentPort.postMessage(workerData.input);";
const FOR_EVER = 'for (;;);';
const MEMORY = 'const kept = []; for (;;) kept.push(new Array(1000).fill(kept.length));';

it('a thread answers with what its script posts', async () => {
  expect(await createThreads(1)({ script: ANSWER, input: { a: [1] }, deadline: HOUR })).toEqual({ a: [1] });
});

it('a thread that works for ever is ended, others have their turn meanwhile, and the next one begins', async () => {
  const runInThread = createThreads(1);
  const ended = runInThread({ script: FOR_EVER, input: 1, deadline: 300 });
  const next = runInThread({ script: ANSWER, input: 2, deadline: HOUR });
  expect(await turnsDuring(() => expect(ended).rejects.toEqual(new ThreadEnded('deadline')))).toBeGreaterThan(10);
  expect(await next).toBe(2);
});

it('a thread that takes more memory than it may is ended, and the program goes on', { timeout: 120_000 }, async () => {
  await expect(createThreads(1)({ script: MEMORY, input: 1, deadline: HOUR })).rejects.toEqual(new ThreadEnded('memory'));
});

it('what a script throws is the answer, and so is an end without one', async () => {
  const runInThread = createThreads(1);
  await expect(runInThread({ script: "throw new Error('odd')", input: 1, deadline: HOUR })).rejects.toThrow('odd');
  await expect(runInThread({ script: '', input: 1, deadline: HOUR })).rejects.toThrow('A thread ended without an answer.');
});

it('no more threads work at once than are let, and those that wait begin in their order', async () => {
  const runInThread = createThreads(2);
  const begun: number[] = [];
  const shared = new Int32Array(new SharedArrayBuffer(4));
  const hold =
    "const { parentPort, workerData } = require('node:worker_threads'); Atomics.wait(workerData.input, 0, 0); parentPort.postMessage('held');";
  const held = [1, 2].map(() => runInThread({ script: hold, input: shared, deadline: HOUR }));
  const waiting = [3, 4].map((input) =>
    runInThread({ script: ANSWER, input, deadline: HOUR }).then((answer) => begun.push(Number(answer))),
  );
  await turnsDuring(() => createThreads(1)({ script: ANSWER, input: 0, deadline: HOUR }));
  expect(begun).toEqual([]);
  Atomics.store(shared, 0, 1);
  await expect
    .poll(async () => {
      Atomics.notify(shared, 0);
      return begun.toSorted((one, other) => one - other);
    })
    .toEqual([3, 4]);
  expect(await Promise.all(held)).toEqual(['held', 'held']);
  await Promise.all(waiting);
});
