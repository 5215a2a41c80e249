import { failureLine, terminal, terminalFix } from '@repoless/command-line/explain.ts';
import { type ErrorCode, ERRORS } from '@repoless/contract/errors.ts';
import type { CheckId } from '@repoless/contract/site-check.ts';
import type { Finding } from '@repoless/core/checks/finding.ts';
import { english } from '@repoless/core/messages/english.ts';
import { explainBlock } from '@repoless/core/messages/explain-failure.ts';
import { type CheckMessages, findingMessages } from '@repoless/core/messages/finding-messages.ts';
import { fillFrom } from '@repoless/core/messages/format-message.ts';
import type { BlockReason } from '@repoless/core/situation/call.ts';
import { describe, expect, test } from 'vitest';
import { startReceiver } from '../support/receiver.ts';
import { offered } from '../support/on-both.ts';
import { world, env, folder, inCommandWorld, repoless } from './command.ts';

const { checks } = english['site-check'];
const findingSentences: Readonly<Record<CheckId, CheckMessages>> = checks.sentences;

/** Words for parts of the panel, which a terminal lacks. */
const PANEL = /“Settings”|Refresh|panel|button|“Sync status”|“Setup”|“Access”|“History”|on the right of|in above|below\.$|Press/;

inCommandWorld({ sites: true, authoring: true });

const CLONE = ['clone', '--organization', 'wknd', '--content-root', '/content/wknd/de/en'];
const ROOT_OF_ALL = ['--organization', 'wknd'];

const UNKNOWN_ORGANIZATION: [string[], number, string] = [
  ['export', '--organization', 'nosuch'],
  1,
  'Check the name at --organization or in the file.',
];
const UNKNOWN_BRANCH: [string[], number, string] = [
  ['sync', ...ROOT_OF_ALL, '--branch', 'nosuch'],
  1,
  'Name an existing branch with --branch',
];

describe('A refusal in a terminal says what to do there', () => {
  test.each<[argv: readonly string[], code: number, sentence: string]>([
    [[...CLONE, '--from', 'nosuch', '--site', 'twin'], 1, 'repoless export --organization wknd lists its sites.'],
    [[...CLONE, '--from', 'Wknd', '--site', 'twin'], 2, 'The site name "Wknd" has uppercase letters; write "wknd".'],
    [[...CLONE, '--from', 'wknd', '--site', 'twin!'], 2, 'The site name "twin!" may hold only'],
    [['export', '--organization', 'wk nd'], 2, 'The organization name "wk nd" may hold only'],
    ...(offered('unknown-organizations') ? [UNKNOWN_ORGANIZATION] : []),
    [['export', ...ROOT_OF_ALL, '--site', 'nosuch'], 2, 'Without --site, all of its sites are exported.'],
    [['sync', ...ROOT_OF_ALL, '--branch', 'no such'], 2, '--branch "no such": use the name of a branch, e.g. main.'],
    ...(offered('git') ? [UNKNOWN_BRANCH] : []),
    [['rollout', ...ROOT_OF_ALL, '--undo', 'xyz'], 1, 'wknd has no rollout xyz'],
    [['rollout', ...ROOT_OF_ALL, '--stop', 'abc'], 1, 'Use the ID that repoless rollout printed'],
    [['export', ...ROOT_OF_ALL, '--service', 'http://127.0.0.1:1'], 1, 'Check the address of the service (--service, REPOLESS_SERVICE'],
  ])('to %j', async (argv, code, sentence) => {
    const result = await folder.repoless(argv, { env });
    expect(result.code).toBe(code);
    expect(`${result.err}${result.out}`).toContain(sentence);
    expect(`${result.err}${result.out}`).not.toMatch(PANEL);
  });

  test('for each error of the service', () => {
    const lines = (Object.keys(ERRORS) as ErrorCode[]).map((code) => {
      const { status, title } = ERRORS[code];
      return failureLine({ kind: 'refused', status, problem: { type: '', title, status, detail: `${title}.`, code, requestId: 'abc' } });
    });
    expect(lines.filter((line) => PANEL.test(line))).toEqual([]);
    expect(lines.filter((line) => line.includes('request ID')).every((line) => line.endsWith('Request ID: abc.'))).toBe(true);
    expect(lines.some((line) => line.endsWith('Request ID: abc.'))).toBe(true);
  });

  test('for each reason why a step or a site does not continue', () => {
    const reasons = Object.keys(terminal.blocked).filter((id): id is BlockReason => !id.startsWith('sync-failed-by-'));
    const advice = [
      ...reasons.flatMap((reason) =>
        [{}, { registered: 'no' }, { problem: 'secret-refused' }].map((data) => explainBlock(terminal, reason, data).next),
      ),
      ...Object.values(terminal.rowProblems).map((message) => fillFrom(message, {}).next),
    ];
    expect(advice.filter((next) => PANEL.test(next))).toEqual([]);
  });

  test('for each finding of a check', () => {
    const found = (Object.keys(findingSentences) as CheckId[]).flatMap((check) =>
      [undefined, ...Object.keys(findingSentences[check].variants ?? {})].flatMap((variant) =>
        (['wrong', 'unknown'] as const).map((verdict): Finding => ({
          check,
          verdict,
          data: {},
          ...(variant === undefined ? {} : { variant }),
        })),
      ),
    );
    const fixes = found.map((finding) => terminalFix(finding, findingMessages(checks, finding).fix));
    expect(fixes.filter((fix) => fix !== undefined && PANEL.test(fix))).toEqual([]);
    expect(fixes).toContain('Run repoless apply.');
  });
});

describe('An address of another program', () => {
  const FILE = ['-f', 'sites.yaml'];

  test.each([200, 404, 501])('that answers %d is reported as no service, by every command', async (status) => {
    await repoless('export', ...ROOT_OF_ALL, '-o', 'sites.yaml');
    const other = await startReceiver((_, answer) => answer.writeHead(status, { 'content-type': 'text/html' }).end('<p>Hello</p>'));
    const commands = [
      ['login'],
      ['logout'],
      ...['plan', 'simulate', 'apply', 'check', 'status', 'sync'].map((command) => [command, ...FILE]),
      ['rollout', ...ROOT_OF_ALL, '--undo', 'abc'],
      ['export', ...ROOT_OF_ALL],
      [...CLONE, '--from', 'wknd', '--site', 'twin'],
      ['move', ...ROOT_OF_ALL, '--from', world.authorAddress(), '--to', world.authorAddress('p100-e300')],
      ['verify-log', ...ROOT_OF_ALL],
    ];
    for (const command of commands) {
      const result = await repoless(...command, '--service', other.address);
      expect(result, command.join(' ')).toMatchObject({
        code: 1,
        err: expect.stringMatching(/Check the (?:address|names).* \(--service, REPOLESS_SERVICE, or in the file\)/s),
      });
      expect(result.err).not.toMatch(PANEL);
    }
    await other.stop();
  });
});
