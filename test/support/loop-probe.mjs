// Loaded into a program under test before everything else (`--import`), and into its threads, which it leaves alone: on SIGUSR2 it
// prints the longest time that the program worked without giving others their turn (turns.mjs), and that passed meanwhile, and
// begins anew.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

if (isMainThread) {
  const { watchTurns } = await import('./turns.mjs');
  const turns = watchTurns();
  turns.unref();
  const delays = monitorEventLoopDelay({ resolution: 5 });
  delays.enable();

  process.on('SIGUSR2', () => {
    const [standstill, delay] = [turns.longest(), delays.max / 1e6].map(Math.round);
    process.stdout.write(`standstill ${standstill} delay ${delay} memory ${process.memoryUsage().rss}\n`);
    delays.reset();
  });
}
