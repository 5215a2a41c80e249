import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { IntlMessageFormat } from 'intl-messageformat';
import { describe, expect, test } from 'vitest';
import { createCatalogues, LANGUAGES } from '@repoless/core/messages/catalogue.ts';
import { english } from '@repoless/core/messages/english.ts';
import { explainCell } from '@repoless/core/messages/explain-row.ts';
import { findingMessages } from '@repoless/core/messages/finding-messages.ts';
import { bindMessages, fillFrom, type Message } from '@repoless/core/messages/format-message.ts';
import type { Part } from '@repoless/core/messages/language.ts';

const FOLDER = fileURLToPath(new URL('../../core/messages/', import.meta.url));
const PARTS = (await readdir(`${FOLDER}en`)).filter((file) => file.endsWith('.json')).map((file) => file.replace('.json', '') as Part);

/** The same text in English and this language: names of products and vendors, and loanwords. */
const EQUAL: Readonly<Record<(typeof LANGUAGES)[number], RegExp>> = {
  en: /^$/,
  de: /^(?:repoless|Repository|Commit|Branch|Branches|Webhook|Name|Name \(optional\)|Site|Sites|Live|Preview|Code|Text|Version|Rollouts?|Administrator|robots\.txt|GitHub Enterprise|GitLab|Bitbucket|Azure DevOps)$/,
  fr: /^(?:Action|Base|Branches|CDN|Code|Commit|Configuration|Description|E-mail|ID|Notifications|Pages?|Production|Secrets?|Sidekick|Sites?|Versions?|(?:site|version)\s+(?:sites|versions)|Webhook|repoless|robots\.txt|GitHub Enterprise|GitLab|Bitbucket|Azure DevOps)$/,
  ja: /^(?:repoless|Repoless|robots\.txt|Webhook|Webhook URL|GitHub Enterprise|Bitbucket|GitLab|Azure DevOps|CDN|ID)$/,
  ar: /^(?:repoless|Repoless|Webhook|Sidekick|CDN|robots\.txt|GitHub Enterprise|Bitbucket|GitLab|Azure DevOps)$/,
  es: /^(?:Roles…?|robots\.txt|Sidekick|repoless|Repoless|Tokens|Error|Base|Webhook|Commit|CDN|ID|GitHub Enterprise|GitLab|Bitbucket|Azure DevOps)$/,
  'zh-CN': /^(?:repoless|Repoless|robots\.txt|Webhook|Webhook URL|Sidekick|CDN|ID|GitHub Enterprise|Bitbucket|GitLab|Azure DevOps)$/,
  it: /^(?:Setup|[Rr]epoless|Live|Base|Repository|E-mail|Webhook|Branch|Commit|GitHub Enterprise|GitLab|Bitbucket|Azure DevOps|File|Rollout|robots\.txt|Sidekick|Route|Endpoint|CDN|ID)$/,
  'pt-BR':
    /^(?:Sites?|sites?\s+sites|:\s+site\s+:\s+sites|Base|Branch|Branches|CDN|Commit|Endpoint|ID|Webhook|Tokens|Sidekick|[Rr]epoless|robots\.txt|GitHub Enterprise|GitLab|Bitbucket|Azure DevOps|Site “”)$/,
  ko: /^(?:robots\.txt|Sidekick|[Rr]epoless|Webhook(?: URL)?|GitHub Enterprise|Bitbucket|GitLab|Azure DevOps|CDN|ID)$/,
};

/** Synonyms, or forms of address, that a language must not use: one word for one thing. */
const REFUSED: Readonly<Partial<Record<(typeof LANGUAGES)[number], RegExp>>> = {
  de: /Build-Verwaltung/,
  es: /autoría/i,
  it: /ospitat/i,
  'pt-BR': /autoria\b|login/i,
  ja: /サインイン|ホステッド|ロール(?!アウト|バック)/,
  ko: /저작|(?<!안녕하)세요/,
  'zh-CN': /撤消/,
};

const ENGLISH = await messagesOf('en');

test('the types of the variables match the English messages: if not, run "npm run messages"', async () => {
  const lines = [...ENGLISH].flatMap(([id, text]) => {
    const variables = [...variablesOf(text)].map(([name, type]) =>
      type === 'Optional' ? `${name}?: Text | undefined` : `${name}: ${type}`,
    );
    return variables.length === 0 ? [] : [`  '${id}': { ${variables.join('; ')} };`];
  });
  await expect([...HEAD, ...lines, '}', ''].join('\n')).toMatchFileSnapshot(`${FOLDER}variables.ts`);
});

describe.each(LANGUAGES)('The language "%s"', async (language) => {
  const messages = await messagesOf(language);

  test('has the messages of English with the same variables', () => {
    const shape = (of: ReadonlyMap<string, string>) =>
      Object.fromEntries([...of].map(([id, text]) => [id, Object.fromEntries(variablesOf(text))]));
    expect(shape(messages)).toEqual(shape(ENGLISH));
  });

  test.skipIf(language === 'en')('has no English texts', () => {
    const left = [...messages].filter(([id, text]) => text === ENGLISH.get(id) && isTranslatable(text, EQUAL[language]));
    expect(left).toEqual([]);
  });

  test('uses one word for one thing', () => {
    expect([...messages].filter(([, text]) => REFUSED[language]?.test(text))).toEqual([]);
  });

  test('repeats the names of files, paths and addresses in English', () => {
    const names = (text: string | undefined) =>
      [...new Set(text?.match(/https?:\/\/[^\s….]*|\/con[a-z]+|\b[\w-]+\.(?:json|yaml|txt)\b/g))].sort();
    for (const [id, text] of messages) expect(names(text), id).toEqual(names(ENGLISH.get(id)));
  });

  test('is formatted as by the standard library', async () => {
    const catalogue = createCatalogues()(language);
    for (const part of PARTS) {
      const bound = new Map(textsOf(await catalogue.read(part), part));
      for (const [id, text] of textsOf(await read(language, part), part)) {
        for (const count of [0, 1, 2, 5, 365, 70_000]) {
          const values = Object.fromEntries(
            [...variablesOf(String(text))].map(([name, type]) => [name, type === 'number' ? count : `⟦${name}⟧`]),
          );
          const filled = fillFrom(bound.get(id) ?? '', values);
          // Inserted values keep their direction in Arabic.
          const inserted = Object.fromEntries(
            Object.entries(values).map(([name, value]) => [
              name,
              language === 'ar' && typeof value === 'string' ? `\u2068${value}\u2069` : value,
            ]),
          );
          expect(filled, id).toBe(new IntlMessageFormat(String(text), language, undefined, { ignoreTag: true }).format(inserted));
        }
      }
    }
  });
});

test('No two languages have the same sentence', async () => {
  const byLanguage = await Promise.all(LANGUAGES.map(async (language) => [language, await messagesOf(language)] as const));
  const copied = [...ENGLISH.keys()].flatMap((id) => {
    const byText = new Map<string, string[]>();
    for (const [language, messages] of byLanguage) {
      const text = messages.get(id) ?? '';
      if (isSentence(text)) byText.set(text, [...(byText.get(text) ?? []), language]);
    }
    return [...byText].filter(([, languages]) => languages.length > 1).map(([text, languages]) => [id, text, ...languages]);
  });
  expect(copied).toEqual([]);
});

test('A missing variable selects the option for it, whatever its values are', () => {
  const { refused } = english['first-view'].failures;
  expect(fillFrom(refused, {}).sentence).toBe('The request was refused.');
  expect(fillFrom(refused, { status: '' }).sentence).toBe('The request was refused.');
  expect(fillFrom(refused, { status: 'absent' }).sentence).toBe('The request was refused (status absent).');
});

test.each([
  ['en', 'The “Old ‘Mill’” of Ada', 'The “{name}” of {owner}', 'Old “Mill”'],
  ['en', 'The “Old ‘Mill’” of Ada', 'The “{name}” of {owner}', 'Old "Mill"'],
  ['de', 'Die „Alte ‘Mühle’“ von Ada', 'Die „{name}“ von {owner}', 'Alte „Mühle“'],
  ['fr', 'Le « vieux ‘moulin’ » de Ada', 'Le « {name} » de {owner}', 'vieux «moulin»'],
  ['en', 'Old “Mill” of Ada', '{name} of {owner}', 'Old “Mill”'],
  ['en', 'The “5" pipe” of Ada', 'The “{name}” of {owner}', '5" pipe'],
])('In %s, a name with quotation marks keeps them apart from those around it: %s', (locale, said, message, name) => {
  const bound: unknown = bindMessages<'permission'>({ message }, locale);
  expect(fillFrom(bound as { message: Message }, { name, owner: 'Ada' })).toEqual({ message: said });
});

test('Each of several names keeps its own direction in Arabic', () => {
  const bound: unknown = bindMessages<'permission'>({ message: '{names}' }, 'ar');
  const { message } = fillFrom(bound as { message: Message }, { names: ['/content/a', '/content/b'] });
  expect(message).toContain('\u2068/content/a\u2069');
  expect(message).toContain('\u2068/content/b\u2069');
});

test('German has a no-break space before each ellipsis', async () => {
  const texts = [...(await messagesOf('de')).values()];
  expect(texts.filter((text) => text.includes('\u00a0…')).length).toBeGreaterThan(50);
  expect(texts.filter((text) => text.includes(' …'))).toEqual([]);
});

test('The problem of a cell is described in the language of the view', async () => {
  const german = createCatalogues()('de-CH');
  const messages = { ...(await german.read('first-view')), ...(await german.read('sites')) };
  expect(explainCell(messages, { kind: 'twice', value: 'wknd-ch', other: 'row-1' })).toBe(
    '„wknd-ch“ wird zweimal verwendet. Wählen Sie einen anderen Namen.',
  );
  expect(explainCell(messages, { kind: 'name-taken', site: 'wknd-ch', root: '/content/ch' })).toContain('gibt es schon');
  expect(explainCell(messages, { kind: 'not-proxied', value: '/libs' })).toContain('unter /conf');
});

test.each([
  ['1', '1 minute', '1 Minute'],
  ['119', '119 minutes', '119 Minuten'],
  ['1439', '23 hours', '23 Stunden'],
])('The rest of a sign-in of %s minutes is %s', async (minutes, inEnglish, inGerman) => {
  const { checks } = await createCatalogues()('de').read('site-check');
  const finding = { check: 'signed-in', verdict: 'fine', data: { email: 'ada@example.com', minutes } } as const;
  expect(findingMessages(english['site-check'].checks, finding).finding).toBe(
    `You are signed in as ada@example.com for another ${inEnglish}.`,
  );
  expect(findingMessages(checks, finding).finding).toBe(`Sie sind als ada@example.com angemeldet, noch ${inGerman}.`);
});

const HEAD = [
  '// Generated from the English messages: npm run messages',
  '/* oxlint-disable max-lines */',
  '',
  '/** What stands in a message as it is. */',
  'type Text = string | number | boolean | readonly string[];',
  '',
  '/** The variables of the messages that have some. */',
  'export interface Variables {',
];

async function messagesOf(language: string): Promise<ReadonlyMap<string, string>> {
  const texts = await Promise.all(PARTS.map(async (part) => textsOf(await read(language, part), part)));
  return new Map(texts.flat().map(([id, text]) => [id, String(text)]));
}

async function read(language: string, part: Part): Promise<unknown> {
  return JSON.parse(await readFile(`${FOLDER}${language}/${part}.json`, 'utf8'));
}

/** The messages with their ids: texts or formatters. */
function textsOf(messages: unknown, id: string): [string, Message][] {
  if (typeof messages === 'string' || typeof messages === 'function') return [[id, messages as Message]];
  return Object.entries(messages as Readonly<Record<string, unknown>>).flatMap(([key, inner]) => textsOf(inner, `${id}.${key}`));
}

type Pieces = ReturnType<IntlMessageFormat['getAst']>;
type Type = 'number' | 'Text' | 'Optional';

/** The variables of a message. Throws if the message is invalid, or uses a type that is not supported here. */
function variablesOf(text: string): ReadonlyMap<string, Type> {
  const found = new Map<string, Type>();
  collect(new IntlMessageFormat(text, 'en', undefined, { ignoreTag: true }).getAst());
  return found;

  function collect(pieces: Pieces): void {
    for (const piece of pieces) {
      if (piece.type === LITERAL || piece.type === POUND || !('value' in piece)) continue;
      if (!(piece.type in TYPES)) throw new Error(`This is not formatted: ${text}`);
      const type = 'options' in piece && 'absent' in piece.options ? 'Optional' : TYPES[piece.type];
      const before = found.get(piece.value);
      found.set(piece.value, RANK.find((one) => one === before || one === type) ?? 'Text');
      if ('options' in piece) for (const { value } of Object.values(piece.options)) collect(value);
    }
  }
}

/** Node types of the library's syntax tree. */
const [LITERAL, POUND] = [0, 7];
const TYPES: Readonly<Record<number, Type>> = { 1: 'Text', 2: 'number', 5: 'Text', 6: 'number' };
const RANK: readonly Type[] = ['Optional', 'number', 'Text'];

/** Whether a message has four words, or ten characters in a row of a script without spaces. */
function isSentence(text: string): boolean {
  const words = wordsOf(new IntlMessageFormat(text, 'en', undefined, { ignoreTag: true }).getAst());
  return (words.match(/\p{L}{3,}/gu) ?? []).length >= 4 || /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]{10}/u.test(words);
}

/** Whether a message has anything to translate: more than variables, names and single characters. */
function isTranslatable(text: string, equal: RegExp): boolean {
  const words = wordsOf(new IntlMessageFormat(text, 'en', undefined, { ignoreTag: true }).getAst());
  return /\p{L}{2}/u.test(words) && !equal.test(words.trim());
}

function wordsOf(pieces: Pieces): string {
  return pieces
    .map((piece) => {
      if ('options' in piece)
        return Object.values(piece.options)
          .map(({ value }) => wordsOf(value))
          .join(' ');
      return piece.type === LITERAL && 'value' in piece ? piece.value : '';
    })
    .join('');
}
