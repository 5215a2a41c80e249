// The turns of a program's event loop, by the processor time of its own thread: what a busy machine does meanwhile does not
// count, nor what collects garbage or compresses beside it. Plain JavaScript, for programs under test load it by `--import`.
import { readFileSync } from 'node:fs';

const TICK = 5;
/** Milliseconds that `calculate` takes where nothing else runs: many of the steps in which systems count. */
const QUIET = 21;
/** Turns up to here are short whatever the machine does. */
const SHORT = 50;

/** Milliseconds that this thread has had a processor so far; where the system does not tell of a thread, its whole process. */
export function threadTime() {
  try {
    return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1e6;
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  }
}

/** Watches the turns from now on. */
export function watchTurns() {
  let longest = 0;
  let begun = threadTime();
  const timer = setInterval(() => {
    const turn = threadTime() - begun;
    if (turn > longest) longest = Math.max(longest, turn > SHORT ? turn / slowness() : turn);
    begun = threadTime();
  }, TICK);
  return {
    unref: () => void timer.unref(),
    /** The longest turn since it was last asked for, in milliseconds of a quiet machine. */
    longest() {
      const found = longest;
      longest = 0;
      return found;
    },
    stop: () => clearInterval(timer),
  };
}

/** How many times longer than on a quiet machine this thread takes just now for the same work: processors share their parts. */
function slowness() {
  const begun = threadTime();
  calculate();
  return Math.max(1, (threadTime() - begun) / QUIET);
}

function calculate() {
  let number = 1;
  for (let count = 0; count < 15_000_000; count += 1) number = (Math.imul(number, 48_271) + count) | 0;
  return number;
}

// The first rounds are slow by themselves.
for (let round = 0; round < 2; round += 1) calculate();
