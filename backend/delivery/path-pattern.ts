/**
 * Whether a path fits a pattern: `**` stands for anything, `*` for anything without a slash. Takes time by the product of the
 * two lengths at most, whatever the pattern: both come from outside.
 */
export function pathFits(pattern: string, path: string): boolean {
  let reached: readonly number[] = [0];
  for (const token of pattern.split(/(\*+)/)) {
    if (token === '') continue;
    if (token === '*') reached = within(path, reached);
    else if (token.startsWith('*')) reached = from(path, reached[0]);
    else reached = reached.filter((at) => path.startsWith(token, at)).map((at) => at + token.length);
    if (reached.length === 0) return false;
  }
  return reached.at(-1) === path.length;
}

/** Every place up to the next slash after one that was reached; in order, each once. */
function within(path: string, reached: readonly number[]): number[] {
  const places: number[] = [];
  for (const start of reached) {
    for (let at = Math.max(start, (places.at(-1) ?? -1) + 1); at <= path.length; at++) {
      if (at > start && path[at - 1] === '/') break;
      places.push(at);
    }
  }
  return places;
}

function from(path: string, start: number | undefined): number[] {
  return start === undefined ? [] : Array.from({ length: path.length - start + 1 }, (_, index) => start + index);
}
