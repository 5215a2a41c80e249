/** Names of existing things, which let requests reach the rules behind names. */
const KNOWN = [
  'wknd',
  'lantern',
  'orchard',
  'main',
  'base',
  'editors',
  'cm-byog',
  '1',
  '2',
  'admin',
  'author',
  'operator@example.com',
  '*',
  '*@example.com',
  'groups/editors',
  '/',
  '/content/lantern/',
  '/content/lantern/:/',
  '/.helix/config.json',
  'https://author-p100-e200.example.com/bin/franklin.delivery/wknd/lantern/main',
  '2026-01-01T00:00:00.000Z',
  'true',
  'false',
  'auto',
];

const ODD = [
  '',
  ' ',
  '.',
  '..',
  '../..',
  '..;/',
  '%00',
  '%2e%2e%2f',
  '%',
  '\0',
  '\r\n',
  '\u2028',
  '\u202e',
  'é',
  '日本',
  '\u{1f680}',
  '\ud800',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'null',
  'undefined',
  '-1',
  '0',
  '1e309',
  '9007199254740993',
  'NaN',
  '<script>',
  "' or 1=1 --",
  '${7*7}',
  '"',
  '\\',
  '[]',
  '{}',
  ',',
  ';',
  ':',
  '?',
  '#',
  '//',
  'http://127.0.0.1:1/',
  'file:///etc/passwd',
  'javascript:alert(1)',
  '<PLACEHOLDER>',
];

export interface Texts {
  /** A text that someone might send: known, odd, long, or a combination. */
  any(): string;
  known(): string;
}

/** `more` adds names to those that every program knows. */
export function createTexts(random: Random, more: readonly string[] = []): Texts {
  const all = [...KNOWN, ...more];
  return { any: () => anyText(random, all), known: () => random.pick(all) };
}

function anyText(random: Random, known: readonly string[]): string {
  const kind = random.below(10);
  if (kind < 4) return random.pick(known);
  if (kind < 7) return random.pick(ODD);
  if (kind < 8) return random.pick(['a', '-', '*a', '[', '/a', '%2f', 'é', '\ud83d']).repeat(1 + random.below(400));
  if (kind < 9) return `${anyText(random, known)}${random.pick(ODD)}${anyText(random, known)}`.slice(0, 5000);
  return Array.from({ length: 1 + random.below(20) }, () => String.fromCharCode(random.below(0x2ff))).join('');
}

/** Numbers that look random and are the same for the same seed, so that every run can be repeated. */
export interface Random {
  /** Below 1. */
  fraction(): number;
  /** A whole number below `limit`. */
  below(limit: number): number;
  chance(probability: number): boolean;
  pick<T>(list: readonly T[]): T;
}

/** Mulberry32. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const fraction = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (limit: number) => Math.floor(fraction() * limit);
  return {
    fraction,
    below,
    chance: (probability) => fraction() < probability,
    pick(list) {
      const one = list[below(list.length)];
      if (one === undefined) throw new Error('There is nothing to choose from.');
      return one;
    },
  };
}
