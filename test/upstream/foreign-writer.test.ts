import { expect, test } from 'vitest';
import { startHostedWorld } from './hosted-world.ts';

const world = startHostedWorld();
const POINTS = 1000;

/** The same sequence in each run. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

const parts = {
  folders: (value: string) => ({ [`/${value}`]: '/target' }),
  headers: (value: string) => ({ '/**': [{ key: 'x-who', value }] }),
  metadata: (value: string) => ({ source: [`/${value}.json`] }),
} as const;
const names = Object.keys(parts) as (keyof typeof parts)[];

test('what another person writes between a read and a write is preserved or reported as lost', async () => {
  const next = random(7);
  const pick = () => names[Math.floor(next() * names.length)] ?? 'folders';
  const path = await world.site();
  const silent: string[] = [];
  let reported = 0;
  for (let point = 0; point < POINTS; point += 1) {
    const foreign = pick();
    const theirs = parts[foreign](`theirs-${point}`);
    const own = next() < 0.5 ? [pick()] : [...new Set([pick(), pick()])];
    const mine = Object.fromEntries(own.map((name) => [name, parts[name](`mine-${point}`)]));
    world.hosted.fault({ kind: 'foreign', write: { method: 'POST', path: path.replace('.json', `/${foreign}.json`), body: theirs } });
    const answer = await world.call('PUT', path, mine);
    expect(answer.status, answer.text).toBe(200);
    const after = (await world.call('GET', path)).body as Record<string, unknown>;
    expect(after).toMatchObject(mine);
    const isPreserved = JSON.stringify(after[foreign]) === JSON.stringify(theirs);
    const isReported = /changed it between/.test(answer.headers['x-warning'] ?? '');
    if (isReported) reported += 1;
    if (!isPreserved && !isReported) silent.push(`${point}: ${foreign} by somebody else, ${own.join(', ')} by us`);
  }
  expect(silent).toEqual([]);
  expect(reported).toBeGreaterThan(POINTS / 10);
}, 300_000);
