import { beforeAll, expect, it } from 'vitest';
import { runFuzz } from '../fuzz/run-fuzz.ts';
import { startServiceTarget } from '../fuzz/service-target.ts';
import { createRandom } from '../fuzz/texts.ts';
import { buildBackend } from '../support/child-backend.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

beforeAll(buildBackend, 120_000);
const target = startBeforeAll(startServiceTarget);

it('the same seed produces the same numbers', () => {
  const [one, other] = [createRandom(7), createRandom(7)];
  const numbers = Array.from({ length: 100 }, () => one.below(1000));
  expect(Array.from({ length: 100 }, () => other.below(1000))).toEqual(numbers);
  expect(new Set(numbers).size).toBeGreaterThan(50);
});

it(
  '3000 requests generated from the documents and from bytes get documented answers, never 5xx, while other readers are served',
  { timeout: 240_000 },
  async () => {
    const { faults, endings, judged, bystander, memory } = await runFuzz(target, { requests: 3000, seed: 20 });
    expect(faults).toEqual([]);
    expect(endings['200']).toBeGreaterThan(100);
    expect(endings['400']).toBeGreaterThan(100);
    expect(judged).toBeGreaterThan(1500);
    expect(bystander.failed).toBe(0);
    expect(memory.after - memory.before).toBeLessThan(200 * 1024 * 1024);
  },
);
