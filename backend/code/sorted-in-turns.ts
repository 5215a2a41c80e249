import { createTurns } from '#backend/domain/turn.ts';

/** The texts in the order of their characters, as `sort` has them, with turns of others between. */
export async function sortedInTurns(texts: readonly string[]): Promise<string[]> {
  const turn = createTurns();
  let runs: string[][] = [];
  for (let at = 0; at < texts.length; at += PIECE) {
    runs.push(texts.slice(at, at + PIECE).sort());
    await turn();
  }
  while (runs.length > 1) {
    const merged: string[][] = [];
    for (let at = 0; at < runs.length; at += 2) merged.push(await mergedInTurns(runs[at] ?? [], runs[at + 1] ?? [], turn));
    runs = merged;
  }
  return runs[0] ?? [];
}

async function mergedInTurns(one: readonly string[], other: readonly string[], turn: () => Promise<void>): Promise<string[]> {
  const merged: string[] = [];
  let [left, right] = [0, 0];
  for (let count = one.length + other.length; count > 0; count -= 1) {
    const [first, second] = [one[left], other[right]];
    const takesFirst = second === undefined || (first !== undefined && first <= second);
    const next = takesFirst ? first : second;
    if (next !== undefined) merged.push(next);
    if (takesFirst) left += 1;
    else right += 1;
    if (count % PIECE === 0) await turn();
  }
  return merged;
}

const PIECE = 1000;
