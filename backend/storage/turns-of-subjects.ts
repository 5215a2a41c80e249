/** Takes the turn of a key; resolves when it has come. What it answers gives the turn on; to give it on twice does no harm. */
export type TakeTurn = (key: string) => Promise<() => void>;

/**
 * Writers of one subject take turns: each decides on what the one before left, where all together would decide on the same, and all
 * but one in vain. A turn is no lock: who has waited for `patience` milliseconds goes on, and a conflict tells what was decided on
 * something old.
 */
export function turnsOfSubjects(patience: number): TakeTurn {
  const last = new Map<string, Promise<void>>();
  return async (key) => {
    const before = last.get(key);
    let give: () => void = () => undefined;
    const given = new Promise<void>((resolve) => {
      give = resolve;
    });
    // Who waited too long does not let those behind pass those before.
    const mine = before === undefined ? given : before.then(() => given);
    last.set(key, mine);
    void mine.then(() => {
      if (last.get(key) === mine) last.delete(key);
    });
    if (before !== undefined) await within(before, patience);
    return give;
  };
}

function within(turn: Promise<void>, milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    void turn.then(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
