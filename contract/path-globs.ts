import { LIMITS } from './limits.ts';
import { isGlob } from './mappings.ts';

/**
 * Parses a list of content paths once for many lookups and returns whether one of them covers a content path. A plain entry covers
 * itself and everything below. In a glob, `*` matches anything within a segment and `**` anything; a segment `**` may match no
 * segment, and a final "/**" or "/" matches the folder itself and everything below. Globs over the limits, stored before these
 * existed, cover nothing.
 */
export function createPathCover(patterns: readonly string[]): (content: string) => boolean {
  const parsed = patterns.map((pattern) => ({ base: withoutFolderEnd(pattern), pattern }));
  const folders = new Set(parsed.flatMap(({ base }) => (isGlob(base) ? [] : [base])));
  const globs = parsed.filter(({ base, pattern }) => isGlob(base) && pattern.length <= LIMITS.pathGlobLength).slice(0, LIMITS.pathGlobs);
  const compiled = globs.map(({ base, pattern }) => compileGlob(base, base !== pattern));
  return (content) => isInFolder(folders, content) || (compiled.length > 0 && fitsOne(compiled, content));
}

/** Without each "/" and "/**" at its end. From there, because an expression would start over at every "/". */
function withoutFolderEnd(pattern: string): string {
  let end = pattern.length;
  for (;;) {
    let stars = end;
    while (pattern[stars - 1] === '*') stars -= 1;
    if (pattern[stars - 1] !== '/' || end - stars === 1) return pattern.slice(0, end);
    end = stars - 1;
  }
}

/** From the path itself upwards, so that the cost depends on the path's own segments, not on the number of folders. */
function isInFolder(folders: ReadonlySet<string>, content: string): boolean {
  if (folders.has(content)) return true;
  for (let slash = content.lastIndexOf('/'); slash >= 0; slash = slash === 0 ? -1 : content.lastIndexOf('/', slash - 1)) {
    if (folders.has(content.slice(0, slash))) return true;
  }
  return false;
}

/** The wildcard steps of a glob; any other step is a character. `SEGMENTS` is a segment `**` with the slash after it. */
const SEGMENT = '*';
const ANYTHING = '**';
const SEGMENTS = '**/';

interface Glob {
  /** The literal prefix, which rules out most paths quickly. */
  readonly literal: string;
  readonly steps: readonly string[];
  /** Whether everything below is also covered. */
  readonly isFolder: boolean;
}

function compileGlob(glob: string, isFolder: boolean): Glob {
  const literal = glob.slice(0, glob.indexOf('*'));
  const steps = (glob.slice(literal.length).match(/\*+\/?|[^*]/g) ?? []).flatMap((step, index, all) => {
    if (!step.startsWith('*')) return [step];
    const isWhole = step.endsWith('/') && (all[index - 1] ?? literal).endsWith('/');
    if (step.startsWith('**') && isWhole) return [SEGMENTS];
    return [step.startsWith('**') ? ANYTHING : SEGMENT, ...(step.endsWith('/') ? ['/'] : [])];
  });
  return { literal, steps, isFolder };
}

/**
 * All positions of the path that a glob may have reached are bits of one number, so each step of the glob has the same cost: time grows
 * only with the length of the path and the glob.
 */
function fitsOne(globs: readonly Glob[], path: string): boolean {
  const near = globs.filter(({ literal }) => path.startsWith(literal));
  if (near.length === 0) return false;
  const positions = positionsByCharacter(path);
  return near.some((glob) => fits(glob, path.length, positions));
}

function fits({ literal, steps, isFolder }: Glob, length: number, positions: ReadonlyMap<string, bigint>): boolean {
  const end = 1n << BigInt(length);
  const slashes = positions.get('/') ?? 0n;
  const withinSegment = (end - 1n) & ~slashes;
  let reached = 1n << BigInt(literal.length);
  for (const step of steps) {
    if (reached === 0n) return false;
    // The addition carries each position to the end of its segment.
    if (step === SEGMENT) reached |= ((reached & withinSegment) + withinSegment) ^ withinSegment;
    else if (step === ANYTHING) reached = fromFirst(reached, end);
    else if (step === SEGMENTS) reached |= fromFirst(reached, end) & (slashes << 1n);
    else reached = (reached & (positions.get(step) ?? 0n)) << 1n;
  }
  return (reached & (isFolder ? end | slashes : end)) !== 0n;
}

/** All positions from the first reached one onwards. */
function fromFirst(reached: bigint, end: bigint): bigint {
  return ((end << 1n) - 1n) & -(reached & -reached);
}

/** The positions of each character of the path. */
function positionsByCharacter(path: string): ReadonlyMap<string, bigint> {
  const bits = new Map<string, number[]>();
  for (let at = 0; at < path.length; at += 1) {
    const mask = bits.get(path.charAt(at));
    if (mask === undefined) bits.set(path.charAt(at), [at]);
    else mask.push(at);
  }
  return new Map([...bits].map(([character, at]) => [character, asBits(at, path.length)]));
}

function asBits(at: readonly number[], length: number): bigint {
  const digits = new Uint8Array(Math.ceil((length + 1) / 4));
  for (const position of at) {
    const digit = digits.length - 1 - (position >> 2);
    digits[digit] = (digits[digit] ?? 0) | (1 << (position & 3));
  }
  return BigInt(`0x${Array.from(digits, (digit) => digit.toString(16)).join('')}`);
}
