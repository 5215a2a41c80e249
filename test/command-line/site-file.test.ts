import { OPERATOR_COMMANDS } from '@repoless/command-line/operate.ts';
import { siteFileSchema } from '@repoless/contract/site-file.ts';
import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { OPERATOR, startTestBackend } from '../support/backend.ts';
import { folder, inOwnFolder, localesFile } from './command.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

let env: Record<string, string>;
const backend = startBeforeAll(startTestBackend);
beforeAll(async () => {
  env = { REPOLESS_TOKEN: await backend.token(OPERATOR), REPOLESS_SERVICE: backend.address };
});
inOwnFolder();

async function applied(text: string) {
  await folder.write('sites.yaml', text);
  return await folder.repoless(['apply', '-f', 'sites.yaml'], { env });
}

/** Nested lists, each referenced ten times. */
function multiplied(): string {
  const lists = Array.from(
    { length: 6 },
    (_, index) => `x${index}: &x${index} [${Array.from({ length: 10 }, () => (index === 0 ? '1' : `*x${index - 1}`)).join(', ')}]`,
  );
  return lists.join('\n');
}

/** The line of a text, counted from 1, on which a part of it starts. */
function lineOf(text: string, part: string): number {
  return text.slice(0, text.indexOf(part)).split('\n').length;
}

test('Every missing property is named', async () => {
  const result = await applied('sites: []\n');
  const missing = ['organization', 'code', 'access'];
  expect(result).toMatchObject({ code: 2 });
  for (const name of missing) expect(result.err).toContain(`sites.yaml:1:1: "${name}" is required.\n`);
});

describe('An invalid line of the file', () => {
  const good = (change = '') => localesFile(backend.address, 'wrong', 3, (index) => (index === 1 ? change : ''));
  const wrongs: readonly (readonly [what: string, text: () => string, at: string, sentence: RegExp])[] = [
    ['an upper-case name', () => good().replace('wrong-aa-en', 'Wrong-aa-en'), 'Wrong-aa-en', /uppercase letters; write "wrong-aa-en"/],
    [
      'a duplicate name',
      () => good().replace('wrong-aa-en', 'wrong-aa-de'),
      'wrong-aa-de\n    contentRoot: /content/wrong/aa/en',
      /is used twice/,
    ],
    ['an unknown property', () => good('    contntRoot: /content/x\n'), 'contntRoot', /Unknown property "contntRoot"/],
    ['a mapping without a colon', () => good('    mappings: ["/content/wrong/"]\n'), '"/content/wrong/"', /has no colon/],
    [
      'a missing content root',
      () => good().replace('    contentRoot: /content/wrong/aa/en\n', ''),
      'name: wrong-aa-en',
      /"contentRoot" is required\./,
    ],
    ['a name that is too long for a host', () => good().replace('wrong-aa-en', `w${'x'.repeat(60)}`), 'wxxxx', /DNS allows 63/],
    [
      'a wildcard without quotes',
      () => good().replace('[operator@example.com]', '["x@y.example", *@example.com]'),
      '*@example.com',
      /quotes: "\*@example\.com"/,
    ],
    ['a name that begins with an asterisk', () => good().replace('[operator@example.com]', '*all'), '*all', /quotes: "\*all"/],
    ['only an asterisk', () => good().replace('[operator@example.com]', '[*]'), '[*]', /quotes: "\*"/],
    [
      'an alias within its own anchor',
      () => good().replace('[operator@example.com]', '&all [*all]'),
      '*all',
      /part of its own anchor "&all"/,
    ],
    ['aliases that multiply', () => good().replace('version: 1', `version: 1\n${multiplied()}`), 'x0', /too many aliases/],
    ['text that is not YAML', () => `${good()}  - {`, '  - {', /./],
  ];
  test.each(wrongs)('is named with its position, and nothing is applied: %s', async (_what, text, at, sentence) => {
    const refused = await applied(text());
    expect(refused.code).toBe(2);
    const [first = ''] = refused.err.split('\n');
    const [file, line, column] = first.split(':');
    expect({ file, column: Number(column) > 0 }).toEqual({ file: 'sites.yaml', column: true });
    expect(Number(line)).toBeGreaterThanOrEqual(lineOf(text(), at));
    expect(Number(line)).toBeLessThanOrEqual(lineOf(text(), at) + 1);
    expect(first).toMatch(sentence);
    const list = await backend.call('GET', '/config/wknd/sites.json', { as: OPERATOR });
    expect(list.json()).toEqual({ sites: [] });
  });

  test('is named with its column if an asterisk is not quoted, also as JSON', async () => {
    await folder.write('sites.yaml', good().replace('[operator@example.com]', '[*@example.com]'));
    const refused = await folder.repoless(['apply', '-f', 'sites.yaml', '--json'], { env });
    expect(refused.code).toBe(2);
    expect(refused.json()).toMatchObject({ places: [{ file: 'sites.yaml', line: lineOf(good(), 'admin:'), column: 13 }] });
    await folder.write('edits.yaml', 'edits:\n  - path: /access\n    value: *all\n');
    const rollout = await folder.repoless(['rollout', '--organization', 'wknd', '-f', 'edits.yaml'], {
      env: { ...env, REPOLESS_SERVICE: backend.address },
    });
    expect(rollout).toMatchObject({ code: 2, err: expect.stringMatching(/^edits\.yaml:3:12: .*"\*all"/) });
  });

  test('is reported as JSON on request', async () => {
    await folder.write(
      'sites.json',
      JSON.stringify({ version: 1, organization: 'wknd', code: {}, access: {}, sites: [{ name: 'X' }] }, null, 2),
    );
    const refused = await folder.repoless(['apply', '-f', 'sites.json', '--json'], { env });
    expect(refused.code).toBe(2);
    expect(refused.json()).toMatchObject({
      places: [{ pointer: '/sites/0/name', line: 8, column: 15 }, { pointer: '/sites/0/contentRoot' }],
    });
  });
});

test('The published schema is that of the contract', async () => {
  const published: unknown = JSON.parse(await readFile(new URL('../../docs/site-file.schema.json', import.meta.url), 'utf8'));
  expect(published).toEqual(siteFileSchema());
});

describe('The command', () => {
  test('names those of the service in its help, and describes its own', async () => {
    const help = await folder.repoless(['--help']);
    expect(help).toMatchObject({ code: 0, err: '' });
    for (const command of OPERATOR_COMMANDS) expect(help.out).toMatch(new RegExp(`[ ,]${command}[ ,\\n]`));
    const own = await folder.repoless(['check', '--help']);
    expect(own).toMatchObject({ code: 0, err: '', out: expect.stringContaining('--no-record') });
    expect(own.out).not.toContain('--branch');
  });

  test.each([
    [[], /Choose a command/],
    [['mend'], /unknown command 'mend'/],
    [['apply'], /-f <path>/],
    [['apply', '-f', 'none.yaml'], /Couldn’t read none.yaml/],
    [['plam'], /Did you mean plan\?/],
    [['apply', '-f', 'sites.yaml', '--dryrun'], /Did you mean --dry-run\?/],
    [['apply', '-f', 'sites.yaml', '--concurrency', '0'], /'--concurrency <number>' argument '0' is invalid. .* from 1 to 32/],
    [['apply', '-f', 'sites.yaml', '--concurrency', '0x10'], /'--concurrency <number>' .* in decimal digits, from 1 to 32/],
    [['apply', '-f', 'sites.yaml', '--concurrency', '1e1'], /in decimal digits, from 1 to 32/],
    [['apply', '-f', 'sites.yaml', '--concurrency', '+5'], /in decimal digits, from 1 to 32/],
    [['undo', '--version', '0x2'], /'--version <number>' .* in decimal digits, 1 or more/],
    [['apply', '-f', 'sites.yaml', '--site', 'other'], /no site "other"/],
    [['export', '--service', 'http://localhost:1'], /--organization/],
    [['apply', '-f', 'sites.yaml', '--organization', 'other'], /unknown option '--organization'/],
    [['check', '-f', 'sites.yaml', '--everywhere'], /unknown option '--everywhere'/],
    [['plan', 'sites.yaml'], /too many arguments for 'plan'/],
    [['import', '.', '--site', 'one', '--site', 'two'], /Use it only once/],
    [['plan', '-f', 'sites.yaml', '--format', 'html'], /Use text, json, markdown/],
    [['plan', '-f', 'sites.yaml', '--format', 'markdown', '--json'], /Choose one format/],
    [['apply', '-f', 'sites.yaml', '--format', 'json'], /unknown option '--format'/],
  ])('reports what is wrong with %j', async (argv, sentence) => {
    await folder.write('sites.yaml', localesFile(backend.address, 'usage', 1));
    const refused = await folder.repoless(argv, { env });
    expect(refused.code).toBe(2);
    expect(`${refused.err}${refused.out}`).toMatch(sentence);
  });

  test('requires a sign-in if there is none, and never shows a token', async () => {
    await folder.write('sites.yaml', localesFile(backend.address, 'usage', 1));
    const refused = await folder.repoless(['apply', '-f', 'sites.yaml']);
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('repoless login') });
    const wrongToken = await folder.repoless(['apply', '-f', 'sites.yaml'], { env: { ...env, REPOLESS_TOKEN: 'not-a-token' } });
    expect(wrongToken.code).toBe(1);
    expect(`${wrongToken.err}${wrongToken.out}`).not.toContain('not-a-token');
  });

  test('reports that the service is unreachable', async () => {
    await folder.write('sites.yaml', localesFile('http://localhost:1', 'usage', 1));
    expect(await folder.repoless(['apply', '-f', 'sites.yaml', '--service', 'http://localhost:1'], { env })).toMatchObject({
      code: 1,
      err: expect.stringContaining('does not respond'),
    });
  });
});
