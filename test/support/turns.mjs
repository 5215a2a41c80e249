// The turns of a program's event loop, by the processor time of its own thread: neither the load of the machine nor other threads (garbage
// collection, compression) count. Plain JavaScript, because programs under test load it by `--import`.
import { readFileSync } from 'node:fs';

const TICK = 5;
/** Milliseconds that `calculate` takes on a quiet machine: many ticks of the system's clock of processor time. */
const QUIET = 21;
/** Turns up to this length count as short on any machine. */
const SHORT = 50;

/** Processor time of this thread in milliseconds; that of the process if the system does not report threads. */
export function threadTime() {
  try {
    return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1e6;
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  }
}

/** Starts measuring the turns. */
export function watchTurns() {
  let longest = 0;
  let started = threadTime();
  const timer = setInterval(() => {
    const turn = threadTime() - started;
    if (turn > longest) longest = Math.max(longest, turn > SHORT ? turn / slowness() : turn);
    started = threadTime();
  }, TICK);
  return {
    unref: () => void timer.unref(),
    /** The longest turn since the last call, in milliseconds of a quiet machine. */
    longest() {
      const found = longest;
      longest = 0;
      return found;
    },
    stop: () => clearInterval(timer),
  };
}

/** By what factor this thread is currently slower than on a quiet machine: processors share their parts. */
function slowness() {
  const started = threadTime();
  calculate();
  return Math.max(1, (threadTime() - started) / QUIET);
}

function calculate() {
  let number = 1;
  for (let count = 0; count < 15_000_000; count += 1) number = (Math.imul(number, 48_271) + count) | 0;
  return number;
}

// The first rounds are slow because the code is not compiled yet.
for (let round = 0; round < 2; round += 1) calculate();
