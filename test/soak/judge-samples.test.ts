import { expect, it } from 'vitest';
import { judgeSamples } from './judge-samples.ts';
import type { Measure, Sample } from './take-sample.ts';

/** Half an hour of a program: a sample every five seconds, garbage collected every minute. */
function halfAnHour(measure: Measure, value: (at: number, collected: boolean) => number, program = 'service'): Sample[] {
  return Array.from({ length: 360 }, (_, look) => {
    const [at, collected] = [look * 5, look % 12 === 0];
    return { program, at, collected, values: { [measure]: value(at, collected) } };
  });
}

const growing = (samples: readonly Sample[]) =>
  judgeSamples(samples, ['service'])
    .filter(({ grows }) => grows)
    .map(({ measure }) => measure);

it('reports memory that grows, and ignores memory that is collected', () => {
  const noise = (at: number) => 3 * Math.sin(at);
  expect(growing(halfAnHour('heap', (at, collected) => (collected ? 60 : 60 + (at % 300)) + noise(at)))).toEqual([]);
  expect(growing(halfAnHour('heap', (at, collected) => (collected ? 60 : 60 + (at % 300)) + noise(at) + at / 100))).toEqual(['heap']);
});

it('ignores the warm-up and single outliers', () => {
  expect(growing(halfAnHour('resident', (at) => Math.min(150, 50 + at / 5)))).toEqual([]);
  expect(growing(halfAnHour('files', (at) => (at === 1700 ? 900 : 40)))).toEqual([]);
});

it.each([
  ['files', 40, 0.01],
  ['handles', 30, 0.01],
  ['threads', 12, 0.005],
] as const)('reports %s that are never closed', (measure, level, perSecond) => {
  expect(growing(halfAnHour(measure, () => level))).toEqual([]);
  expect(growing(halfAnHour(measure, (at) => level + Math.floor(at * perSecond)))).toEqual([measure]);
});

it('lets databases grow, and ignores the stand-ins', () => {
  expect(growing(halfAnHour('database', (at) => 20 + at))).toEqual([]);
  expect(growing(halfAnHour('resident', (at) => 80 + at, 'code host'))).toEqual([]);
});
