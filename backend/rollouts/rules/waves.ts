import type { Wave } from '@repoless/contract/rollout.ts';

/** The wave, from 1, in which each of so many sites is changed, in their order. Each wave says how many have the change after it. */
export function waveOf(index: number, total: number, waves: readonly Wave[]): number {
  const wave = waves.findIndex((one) => index < sizeOf(one, total));
  return wave < 0 ? waves.length : wave + 1;
}

function sizeOf(wave: Wave, total: number): number {
  return typeof wave === 'number' ? wave : Math.ceil((Number(wave.slice(0, -1)) * total) / 100);
}
