// Loaded into a program under test before everything else (`--import`), and into its threads, which it leaves alone: on SIGUSR2 it
// prints the longest time that the program worked without giving others their turn (turns.mjs), and that passed meanwhile, and begins
// anew; and the bytes of memory that are in use after a collection of garbage, and that the process has.
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
    const [standstill, delay] = [turns.longest(), delays.max / 1e6].map(Math.round);
    collectGarbage();
    const { heapUsed, external, rss } = process.memoryUsage();
    process.stdout.write(`standstill ${standstill} delay ${delay} used ${heapUsed + external} resident ${rss}\n`);
    turns.longest();
    delays.reset();
  });
}
