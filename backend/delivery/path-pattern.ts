import { LIMITS } from '@repoless/contract/limits.ts';

/**
 * Tells which patterns fit a path: `**` stands for anything, `*` for anything without a slash. Both come from outside, and a page
 * is tried on hundreds of patterns: all places of the path that a pattern may have reached are one number, a bit for each, so that
 * a character of the pattern costs one step whatever they are. A pattern beyond the limits, stored before they were drawn, fits
 * nothing.
 */
export function createPathMatcher(path: string): (pattern: string) => boolean {
  const all = (1n << BigInt(path.length + 1)) - 1n;
  const end = 1n << BigInt(path.length);
  const places = placesByCharacter(path);
  const withinSegment = (all ^ end) & ~(places.get('/') ?? 0n);
  return (pattern) => {
    if (pattern.length > LIMITS.headerPatternLength) return false;
    // Most patterns end here.
    const literal = pattern.split('*', 1)[0] ?? '';
    if (!path.startsWith(literal) || !path.endsWith(pattern.slice(pattern.lastIndexOf('*') + 1))) return false;
    let reached = 1n << BigInt(literal.length);
    for (let at = literal.length; at < pattern.length && reached !== 0n; at += 1) {
      const character = pattern.charAt(at);
      if (character !== '*') {
        reached = (reached & (places.get(character) ?? 0n)) << 1n;
        continue;
      }
      const run = at;
      while (pattern[at + 1] === '*') at += 1;
      // Adding carries each place on to the end of its segment; or all places from the first on.
      if (at === run) reached |= ((reached & withinSegment) + withinSegment) ^ withinSegment;
      else reached = all & -(reached & -reached);
    }
    return (reached & end) !== 0n;
  };
}

/** By each character of the path the places where it stands. */
function placesByCharacter(path: string): ReadonlyMap<string, bigint> {
  const places = new Map<string, bigint>();
  for (let at = 0; at < path.length; at += 1) {
    const character = path.charAt(at);
    places.set(character, (places.get(character) ?? 0n) | (1n << BigInt(at)));
  }
  return places;
}
