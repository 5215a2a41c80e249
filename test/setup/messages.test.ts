import { describe, expect, test } from 'vitest';
import { createCatalogues } from '#extension/messages/catalogue.ts';
import { english as parts } from '#extension/messages/en/english.ts';
import * as languages from '#extension/messages/languages.ts';
import type { Part } from '#extension/messages/language.ts';

type Code = Exclude<keyof typeof languages, 'en' | 'default'>;

const PARTS = Object.keys(parts).filter((name): name is Part => name in parts);
const catalogueOf = createCatalogues();
const english = await vocabulary('en');
const german = await vocabulary('de-CH');

/** The same word in English and this language: names of products and vendors, and words that it took over. */
const EQUAL: Readonly<Record<Code, RegExp>> = {
  de: /^(?:repoless|Repository|Commit|Branch|Branches|Webhook|Name|Name \(optional\)|Site|Sites|Live|Preview|Code|Text|Version|Rollouts?|Administrator|robots\.txt|GitHub Enterprise|GitLab|Bitbucket|Azure DevOps)$/,
};
const OTHERS = Object.keys(EQUAL).filter((code): code is Code => code in EQUAL);

test('every language of the registry is compared with English', () => {
  expect(['en', ...OTHERS].sort()).toEqual(Object.keys(languages).sort());
});

describe.each(OTHERS)('The language "%s"', async (code) => {
  const other = await vocabulary(code);

  test('has exactly the sentences that English has', () => {
    expect([...keys(other)].sort()).toEqual([...keys(english)].sort());
  });

  test.each(PARTS.flatMap((part) => Object.keys(english[part]).map((area) => `${part} ${area}`)))('says of %s what English says', (area) =>
    compare(area, other, EQUAL[code]),
  );
});

describe('German', () => {
  test('lets no ellipsis begin a line', () => {
    const said = [...sayings(german)].flatMap(({ say }) => spoken(say, 'names'));
    expect(said.filter(({ text }) => text.includes('\u00a0…')).length).toBeGreaterThan(50);
    expect(said.filter(({ text }) => text.includes(' …'))).toEqual([]);
  });

  test('says what is wrong with a cell', () => {
    const { cellSentence } = german.sites;
    expect(cellSentence({ kind: 'twice', value: 'wknd-ch', other: 'row-1' })).toBe(
      '„wknd-ch“ wird zweimal verwendet. Wählen Sie einen anderen Namen.',
    );
    expect(cellSentence({ kind: 'name-taken', site: 'wknd-ch', root: '/content/ch' })).toContain('gibt es schon');
    expect(cellSentence({ kind: 'not-proxied', value: '/libs' })).toContain('unter /conf');
  });
});

describe('How long a sign-in lasts', () => {
  test.each([
    ['1', '1 minute', '1 Minute'],
    ['119', '119 minutes', '119 Minuten'],
    ['1439', '23 hours', '23 Stunden'],
  ])('%s minutes are told as %s', (minutes, inEnglish, inGerman) => {
    const data = { email: 'ada@example.com', minutes };
    expect(english.siteCheck.checks.sentences['signed-in'].fine(data).finding).toBe(
      `You are signed in as ada@example.com for another ${inEnglish}.`,
    );
    expect(german.siteCheck.checks.sentences['signed-in'].fine(data).finding).toBe(
      `Sie sind als ada@example.com angemeldet, noch ${inGerman}.`,
    );
  });
});

/** Every sentence of a language, those of views that are loaded later too. */
async function vocabulary(locale: string) {
  const { read } = catalogueOf(locale);
  return {
    firstView: await read('firstView'),
    setup: await read('setup'),
    simulation: await read('simulation'),
    siteCheck: await read('siteCheck'),
    sync: await read('sync'),
    sites: await read('sites'),
    access: await read('access'),
    configuration: await read('configuration'),
    history: await read('history'),
    rollouts: await read('rollouts'),
    leaving: await read('leaving'),
    glossary: await read('glossary'),
  } satisfies Record<Part, unknown>;
}

/** The same pieces with the same stand-ins in both languages, and no English piece in the other. */
function compare(area: string, other: unknown, equal: RegExp): void {
  const inArea = [...sayings(at(english, area))].map(({ place, say }) => ({ place: `${area} ${place}`, say }));
  expect(inArea.length).toBeGreaterThan(0);
  for (const { place, say } of inArea) {
    for (const argument of ['names', 'none', 0, 1, 2, 70] as const) {
      const here = spoken(say, argument);
      if (here.length === 0) continue;
      const there = spoken(at(other, place.trim()), argument);
      expect(
        there.map(({ path }) => path),
        place,
      ).toEqual(here.map(({ path }) => path));
      expect(marks(there), place).toEqual(marks(here));
      const same = here.filter(({ text }, index) => isTranslatable(text, equal) && there[index]?.text === text);
      expect(
        same.map(({ text }) => text),
        place,
      ).toEqual([]);
    }
  }
}

interface Saying {
  readonly place: string;
  readonly say: unknown;
}

interface Spoken {
  readonly path: string;
  readonly text: string;
}

/** Every sentence and every function of a vocabulary, with the keys that lead to it. */
function* sayings(value: unknown, place = ''): Generator<Saying> {
  if (typeof value !== 'object' || value === null) return yield { place, say: value };
  for (const [key, inner] of Object.entries(value)) yield* sayings(inner, place === '' ? key : `${place} ${key}`);
}

function* keys(vocabulary: unknown): Generator<string> {
  for (const { place, say } of sayings(vocabulary))
    yield `${place}: ${typeof say === 'function' ? `${say.length} parameters` : typeof say}`;
}

function at(vocabulary: unknown, place: string): unknown {
  return place.split(' ').reduce<unknown>((value, key) => (isRecord(value) ? value[key] : undefined), vocabulary);
}

/** What a sentence says, or a function says of stand-ins for what it is given; nothing where it takes no such argument. */
function spoken(say: unknown, argument: 'names' | 'none' | number): readonly Spoken[] {
  if (typeof say !== 'function') return inOrder(texts(say));
  const given = Array.from({ length: say.length }, (_, index) => (typeof argument === 'number' ? argument : standIn(`${index}`, argument)));
  try {
    return inOrder(texts(Reflect.apply(say, undefined, given)));
  } catch {
    return [];
  }
}

function inOrder(said: Iterable<Spoken>): readonly Spoken[] {
  return [...said].sort((one, other) => one.path.localeCompare(other.path));
}

function* texts(value: unknown, path = ''): Generator<Spoken> {
  if (typeof value === 'string') yield { path, text: value };
  if (isRecord(value)) for (const [key, inner] of Object.entries(value)) yield* texts(inner, `${path}/${key}`);
}

/** Stands for a text, a number, and a record of texts: it shows in a sentence as a mark, and each of its fields as one of its own. */
function standIn(name: string, argument: 'names' | 'none'): unknown {
  const mark = `⟦${name}⟧`;
  return new Proxy(
    {},
    {
      get: (_, key) => {
        if (key === Symbol.toPrimitive) return (hint: string) => (hint === 'number' ? 5 : mark);
        if (typeof key === 'symbol') return undefined;
        if (key in String.prototype) return Reflect.get(Object(mark), key)?.bind?.(mark);
        return argument === 'names' ? `⟦${name}.${key}⟧` : undefined;
      },
    },
  );
}

/** The stand-ins and numbers that sentences repeat, each once. */
function marks(said: readonly Spoken[]): readonly string[] {
  return [...new Set(said.flatMap(({ text }) => text.match(/⟦[^⟧]+⟧|\b\d+\b|https?:\/\/\S+|\/con[a-z]+/gu) ?? []))].sort();
}

/** Whether something of a text is left to translate without its stand-ins, file names and single signs. */
function isTranslatable(text: string, equal: RegExp): boolean {
  const rest = text.replaceAll(/⟦[^⟧]+⟧|\d+/gu, '').trim();
  return /\p{L}{2}/u.test(rest) && !equal.test(rest);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
