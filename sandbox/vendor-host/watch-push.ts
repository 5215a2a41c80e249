import type { Branch, Repositories } from '../git-server/read-repositories.ts';
import { NOTHING } from './events/pushed.ts';
import type { Hooks } from './hooks.ts';

interface Place {
  readonly host: string;
  readonly team: string;
  readonly repo: string;
  readonly pusher: string;
}

/** Remembers the branches before a push. Out: to be called after it; sends an event for each branch that changed. */
export async function watchPush(repositories: Repositories, hooks: Hooks, place: Place): Promise<() => Promise<void>> {
  const read = async () => (await repositories.branches(place.team, place.repo)) ?? [];
  const before = await read();
  return async () => {
    for (const change of changes(before, await read())) await hooks.push({ ...place, ...change });
  };
}

function changes(before: readonly Branch[], after: readonly Branch[]): { branch: string; before: string; after: string }[] {
  const [old, now] = [before, after].map((branches) => new Map(branches.map(({ name, commit }) => [name, commit])));
  const names = new Set([...before, ...after].map(({ name }) => name));
  return [...names]
    .map((branch) => ({ branch, before: old?.get(branch) ?? NOTHING, after: now?.get(branch) ?? NOTHING }))
    .filter((change) => change.before !== change.after);
}
