// Loaded into a program under test before everything else (`--import`); has no effect in its threads. On SIGUSR2 it prints the longest
// turn of the event loop (turns.mjs) and the longest delay measured since the last signal, the bytes in use after garbage collection,
// and the bytes of the process.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isMainThread } from 'node:worker_threads';

if (isMainThread) {
  const { watchTurns } = await import('./turns.mjs');
  const turns = watchTurns();
  turns.unref();
  const delays = monitorEventLoopDelay({ resolution: 5 });
  delays.enable();
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc');

  process.on('SIGUSR2', () => {
    const [blocked, delay] = [turns.longest(), delays.max / 1e6].map(Math.round);
    collectGarbage();
    const { heapUsed, external, rss } = process.memoryUsage();
    process.stdout.write(`blocked ${blocked} delay ${delay} used ${heapUsed + external} resident ${rss}\n`);
    turns.longest();
    delays.reset();
  });
}
