import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createContext, Script } from 'node:vm';
import { expect, test } from 'vitest';
import { parseSync } from 'vite';
import { z } from 'zod';

const ROOT = join(import.meta.dirname, '../..');
const PACKAGES = ['contract', 'core', 'upstream', 'command-line', 'backend'] as const;

/** Expressions that take quadratic time, by their source, with the reason why their texts are short. */
const SHORT: Readonly<Record<string, string>> = {
  '\\/+$': 'an address of a configuration or a setting',
  '\\.+$': 'the name of a host',
  '\\?.*$': 'an address of a call',
  '\\?(.*)$': 'an address of the settings',
  '-+$': 'a name in which runs of hyphens are one already',
  "repository '.*' not found": 'the last 4,000 characters that git said',
  "repository '.*' not found|error: 404": 'the last 4,000 characters that git said',
  'git: .*not found': 'the last 4,000 characters that git said',
  '[^/]*\\*.*$': 'what a person types into their own browser',
  '^([a-z]*):? ?(.*)$': 'a line of a stream of the service, in the browser',
};

const Expression = z.object({ regex: z.object({ pattern: z.string(), flags: z.string() }) });

/** The regular expressions in a syntax tree. */
function expressionsOf(tree: unknown): z.infer<typeof Expression>['regex'][] {
  if (typeof tree !== 'object' || tree === null) return [];
  const { data } = Expression.safeParse(tree);
  return data === undefined ? Object.values(tree).flatMap(expressionsOf) : [data.regex];
}

/** Texts that start a match many times and never complete it: repetitions of the expression's own characters and words. */
function textsFor(pattern: string): string[] {
  const words = pattern
    .replaceAll(/\\[bB]/g, '')
    .replaceAll(/\\[dswDSW]/g, 'a')
    .replaceAll('\\', '')
    .split(/[$()*+?[\]^{|}]+/);
  const escaped = [...pattern.matchAll(/\\([^\w])/g)].map(([, sign = '']) => sign);
  const letters = [...new Set([...escaped, ...Array.from(words.join(''))])].slice(0, 14);
  const pairs = letters.flatMap((one) => letters.map((other) => one + other));
  const pieces = [...new Set(['a', '0', ' ', ...words, ...words.map((word) => `-${word}`), ...letters, ...pairs])];
  const beginnings = ['', ...words.filter((word) => word.length > 2).slice(0, 3)];
  return beginnings.flatMap((beginning) =>
    pieces.filter(Boolean).map((piece) => `${beginning}${piece.repeat(LENGTH / piece.length)}\u0001\n`),
  );
}

const LENGTH = 4000;
const SLOWEST = new Script(`texts.reduce((slowest, text) => {
  let best = Infinity;
  for (let round = 0; round < 3 && best > enough; round += 1) {
    const start = now();
    for (const _ of text.matchAll(expression));
    best = Math.min(best, now() - start);
  }
  return Math.max(slowest, best);
}, 0)`);

/** Milliseconds for the slowest text; a text that finishes within `enough` is not measured again. */
function slowest(pattern: string, flags: string, texts: readonly string[], enough: number): number {
  const expression = new RegExp(pattern, flags.includes('g') ? flags : `${flags}g`);
  const context = createContext({ expression, texts, enough, now: () => performance.now() });
  try {
    return z.number().parse(SLOWEST.runInContext(context, { timeout: 20_000 }));
  } catch {
    return Infinity;
  }
}

test('no expression takes time quadratic in the length of its text, unless the text is short', { timeout: 120_000 }, async () => {
  const names = await Promise.all(
    PACKAGES.map(async (part) => (await readdir(join(ROOT, part), { recursive: true })).map((name) => join(ROOT, part, name))),
  );
  const files = names.flat().filter((name) => name.endsWith('.ts') && !/\/(?:dist|node_modules)\//.test(name));
  const read = await Promise.all(files.map(async (file) => expressionsOf(parseSync(file, await readFile(file, 'utf8')).program)));
  const all = new Map(read.flat().map((one) => [`${one.pattern}/${one.flags}`, one]));
  expect(all.size).toBeGreaterThan(200);
  // Milliseconds that 8 million steps take on this machine now.
  const square = slowest('[0-9a-f]+ b', '', ['a'.repeat(LENGTH)], 0);
  const slow = [...all.values()].filter(({ pattern, flags }) => slowest(pattern, flags, textsFor(pattern), square / 10) > square / 10);
  expect(slow.map(({ pattern }) => pattern).filter((pattern) => !(pattern in SHORT))).toEqual([]);
});
