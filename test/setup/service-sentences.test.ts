import { IntlMessageFormat } from 'intl-messageformat';
import { describe, expect, test } from 'vitest';
import { ERROR_DATA, ERROR_REASONS } from '@repoless/contract/error-data.ts';
import { type ErrorCode, ERRORS } from '@repoless/contract/errors.ts';
import { CODE_SENTENCES, codeSentence, codeSentenceOf } from '@repoless/contract/code-sentences.ts';
import { branchProblem } from '@repoless/contract/names.ts';
import { ruleOf, RULES } from '@repoless/contract/value-rules.ts';
import { createCatalogues, LANGUAGES } from '@repoless/core/messages/catalogue.ts';
import { explainFailure, fieldSentences } from '@repoless/core/messages/explain-failure.ts';
import { codeSentenceIn, problemSentence, ruleSentence, serviceSentences } from '@repoless/core/messages/problem-sentence.ts';
import german from '../../core/messages/de/service.json' with { type: 'json' };

const CODES = Object.keys(ERRORS) as ErrorCode[];
const SERVICE = await createCatalogues()('de').read('service');
/** Data for programs that no message includes. */
const OMITTED: Partial<Record<ErrorCode, readonly string[]>> = {
  SECRET_NOT_ALLOWED: ['requested'],
  BRANCH_BUSY: ['job'],
  USER_EXISTS: ['id'],
  VERSION_REFUSED: ['code'],
  PRECONDITION_FAILED: ['etag'],
  REPOSITORY_NOT_READY: ['owner', 'repo'],
  CODE_HOST_UNREACHABLE: ['owner', 'repo'],
  BUILD_MANAGEMENT_UNREACHABLE: ['owner', 'repo'],
};

describe.each(CODES)('%s', (code) => {
  const members = membersOf(code);

  test('has a message in German with all its data, and nothing else', () => {
    const named = new Set(members.map((name) => name.replace('?', '')));
    const omitted = new Set(['rule', 'says', ...(OMITTED[code] ?? [])]);
    const used = variablesOf(german.problems[code]);
    expect([...used].filter((name) => name !== 'problem' && !named.has(name))).toEqual([]);
    expect([...named].filter((name) => !omitted.has(name) && !used.has(name))).toEqual([]);
  });

  test.each(reasonsOf(code))('contains nothing of the English message, for the reason "%s"', (reason) => {
    const detail = 'The quick brown fox jumps.';
    const data = { ...Object.fromEntries(members.map((name) => [name.replace('?', ''), '7'])), reason, code: 'SITE_NOT_FOUND' };
    const inner = code === 'VERSION_REFUSED' ? { org: 'wknd', site: 'ch' } : {};
    const { says: _says, rule: _rule, ...sent } = { ...data, ...inner, says: '', rule: '' };
    const sentence = problemSentence(SERVICE, { code, detail, data: sent });
    expect(sentence).not.toContain(detail);
    expect(sentence).not.toMatch(/\b(?:the|is|not|of|has)\b|\{|undefined/);
  });

  test('has another message for each reason', () => {
    const sentences = reasonsOf(code).map((reason) => problemSentence(SERVICE, { code, detail: '', data: { ...required(code), reason } }));
    expect(new Set(sentences).size).toBe(sentences.length);
  });
});

test('An unknown code, and a known one without its data, get a general message, and quote the service', () => {
  const expected = 'Der Dienst hat die Anfrage abgelehnt. Der Dienst meldet: „No tea today.“';
  expect(problemSentence(SERVICE, { code: 'TEA_MISSING', detail: 'No tea today.' })).toBe(expected);
  expect(problemSentence(SERVICE, { code: 'SITE_NOT_FOUND', detail: 'No tea today.' })).toBe(expected);
});

test('The message of another system is quoted with its name', () => {
  const data = { says: 'getaddrinfo ENOTFOUND' };
  expect(problemSentence(SERVICE, { code: 'AUTHOR_UNREACHABLE', detail: 'It is away.', data })).toBe(
    'Das Autorensystem antwortet nicht. Das Autorensystem meldet: „getaddrinfo ENOTFOUND“',
  );
});

test('What the service reports about a request to another system is translated, not quoted', () => {
  const data = { says: 'author.example.com does not respond.' };
  const sentence = problemSentence(SERVICE, { code: 'AUTHOR_UNREACHABLE', detail: 'It is away.', data });
  expect(sentence).toBe('Das Autorensystem antwortet nicht. author.example.com antwortet nicht.');
});

test('A refusal after a part of the change was stored names that part', () => {
  const data = { stored: 'headers', unstored: 'folders, public' };
  expect(problemSentence(SERVICE, { code: 'HOSTED_REFUSED', detail: 'It refused that.', data })).toBe(
    'Schon gespeichert: headers. Nicht gespeichert: folders, public. Der gehostete Dienst lehnt das ab.',
  );
});

test('The refusal of a site that was changed since its preview names the changes, and their author if known', () => {
  const sentence = (data: Record<string, string>) => problemSentence(SERVICE, { code: 'PRECONDITION_FAILED', detail: 'Since.', data });
  expect(sentence({ parts: 'headers', versions: '2', users: 'ada@example.com' })).toBe(
    'Auf dieser Site wurde inzwischen geändert, von ada@example.com: headers (Version 2). Sie bleibt deshalb, wie sie ist.',
  );
  expect(sentence({ parts: 'headers, robots' })).toBe(
    'Auf dieser Site wurde inzwischen geändert: headers, robots. Sie bleibt deshalb, wie sie ist.',
  );
});

test('The refusal of a version states the rule that it breaks', () => {
  const data = { version: '3', code: 'CONTENT_ROOT_TAKEN', org: 'wknd', site: 'ch' };
  expect(problemSentence(SERVICE, { code: 'VERSION_REFUSED', detail: 'Version 3 cannot be restored.', data })).toBe(
    'Version 3 kann nicht wiederhergestellt werden. Die Site „wknd/ch“ hat diese Inhaltswurzel schon.',
  );
});

describe('The rules of single values', () => {
  test.each(Object.entries(RULES).flatMap(([rule, texts]) => [texts].flat().map((text) => [text, rule] as const)))(
    '“%s” is recognized as its rule with its data, and has a message in every language',
    async (template, rule) => {
      const names = [...new Set([...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? ''))].filter((name) => name !== '_');
      const english = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => SAMPLES[name] ?? (name === '_' ? '' : 'x1'));
      const broken = ruleOf(english);
      expect(broken?.rule).toBe(rule);
      expect(Object.keys(broken?.data ?? {}).sort()).toEqual(names.toSorted());
      for (const language of LANGUAGES) {
        const { rules } = await createCatalogues()(language).read('service');
        expect(rules).toHaveProperty(rule);
      }
      const sentence = ruleSentence(SERVICE, { detail: english });
      expect(sentence).not.toContain(english);
      expect(sentence).not.toContain('Der Dienst meldet');
    },
  );

  test('quote a message without a rule', () => {
    expect(ruleSentence(SERVICE, { detail: 'No tea here.' })).toBe('Dieser Wert wird nicht angenommen. Der Dienst meldet: „No tea here.“');
  });

  test('are stated in the message of the failure once, with further ones below it', async () => {
    const messages = { ...(await createCatalogues()('de').read('first-view')), service: serviceSentences(SERVICE) };
    const errors = [
      { pointer: '/code/owner', detail: 'Specify the owner of the code repository.' },
      { pointer: '/headers', detail: 'Unknown property "headres". Remove it.' },
    ];
    const problem = { type: '', title: '', status: 400, code: 'BODY_INVALID', detail: errors[0]?.detail ?? '', errors } as const;
    const failure = { kind: 'refused', status: 400, problem: { ...problem, errors } } as const;
    expect(explainFailure(messages, failure).sentence).toBe(
      'Der Dienst nimmt einen Wert nicht an: /code/owner: Geben Sie Eigentümer und Namen eines Repositorys ein.',
    );
    expect(fieldSentences(messages, failure)).toEqual(['/headers: Die Eigenschaft „headres“ ist unbekannt. Entfernen Sie sie.']);
  });
});

describe('The service’s messages about code', () => {
  const templates = Object.entries<string | Readonly<Record<string, string>>>(CODE_SENTENCES).flatMap(([rule, texts]) =>
    (typeof texts === 'string' ? [texts] : Object.values(texts)).map((text) => [text, rule] as const),
  );
  const filled = (template: string) =>
    template.replaceAll(/\{(\w+)\}/g, (_, name: string) => SAMPLES[name] ?? (name === 'problem' ? 'branch not found' : 'x1'));

  test.each(templates)('“%s” is recognized, and translated to German', (template, rule) => {
    const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name).filter((name) => !name.startsWith('_'));
    const error = codeSentenceOf(filled(template));
    expect(error?.rule).toBe(rule);
    expect(Object.keys(error?.data ?? {}).sort()).toEqual(names.toSorted());
    const sentence = codeSentenceIn(SERVICE, filled(template));
    expect(sentence).not.toMatch(/\b(?:the|is|not|of|has)\b|[{]|undefined|Der Dienst meldet/);
    for (const name of names) if (name !== 'problem') expect(sentence).toContain(SAMPLES[name] ?? 'x1');
  });

  test('have exactly one translation each', () => {
    expect(Object.keys(german.code).sort()).toEqual(Object.keys(CODE_SENTENCES).sort());
  });

  test('may be several in a row', () => {
    const branchGone = (branch: string) => codeSentence('branchGone', { branch });
    const [first, second] = [
      `Den Branch „a“ gibt es beim Git-Anbieter nicht mehr.`,
      `Den Branch „b“ gibt es beim Git-Anbieter nicht mehr.`,
    ];
    expect(codeSentenceIn(SERVICE, `${branchGone('a')} ${branchGone('b')}`)).toBe(`${first} ${second}`);
    expect(codeSentenceIn(SERVICE, codeSentence('deliveryRepeats', { problem: `${branchGone('a')} ${branchProblem('b/c')}` }))).toBe(
      `${first} In Adressen wird der Branch „b/c“ als „b-c“ geschrieben. Es wird noch einmal versucht.`,
    );
    expect(codeSentenceIn(SERVICE, `${branchGone('a')} No tea today.`)).toContain('Der Dienst meldet: „');
  });

  test('are quoted if another service sent them, also within another message', () => {
    expect(codeSentenceIn(SERVICE, 'No tea today.')).toBe('Der Dienst meldet: „No tea today.“');
    expect(codeSentenceIn(SERVICE, 'Unable to fetch tree: git.example is full.')).toBe(
      'tree konnte nicht gelesen werden: Der Dienst meldet: „git.example is full.“',
    );
  });
});

/** Sample values of variables that are not arbitrary text. */
const SAMPLES: Readonly<Record<string, string>> = {
  types: 'a string or an object',
  values: '"a" or "b"',
  signs: '"-", "_" and "="',
  limit: '100',
  length: '70',
  over: '7',
  count: '5',
  file: 'query',
  status: '503',
  seconds: '9',
};

function membersOf(code: ErrorCode): readonly string[] {
  return code in ERROR_DATA ? ERROR_DATA[code as keyof typeof ERROR_DATA] : [];
}

function reasonsOf(code: ErrorCode): readonly string[] {
  return code in ERROR_REASONS ? ERROR_REASONS[code as keyof typeof ERROR_REASONS] : [''];
}

function required(code: ErrorCode): Record<string, string> {
  return Object.fromEntries(membersOf(code).map((name) => [name.replace('?', ''), '7']));
}

function variablesOf(text: string): ReadonlySet<string> {
  const found = new Set<string>();
  const collect = (pieces: ReturnType<IntlMessageFormat['getAst']>): void => {
    for (const piece of pieces) {
      if (piece.type !== 0 && 'value' in piece) found.add(piece.value);
      if ('options' in piece) for (const { value } of Object.values(piece.options)) collect(value);
    }
  };
  collect(new IntlMessageFormat(text, 'de', undefined, { ignoreTag: true }).getAst());
  return found;
}
