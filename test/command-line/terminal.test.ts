import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, open, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, test } from 'vitest';
import { wait } from '@repoless/core/api/exchange.ts';
import { OPERATOR_COMMANDS } from '@repoless/command-line/operate.ts';
import { OPERATOR, startTestBackend } from '../support/backend.ts';
import { publicPaths, siteInput } from '../support/builders.ts';
import { buildCommandLine, sendSignal, temporaryDirectory } from '../support/child-backend.ts';
import { allowCode, openFolder } from './command.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

const PROGRAM = new URL('../../command-line/dist/main.js', import.meta.url).pathname;
const EXPORT = ['export', '--organization', 'wknd'];

let env: Record<string, string>;
const backend = startBeforeAll(startTestBackend, 120_000);
const folder = startBeforeAll(temporaryDirectory);
beforeAll(async () => {
  await buildCommandLine();
  const body = siteInput('one', 'wknd', { public: publicPaths('/content/one') });
  await backend.call('PUT', '/config/wknd/sites/one.json', { as: OPERATOR, body });
  env = {
    PATH: process.env['PATH'] ?? '',
    XDG_CONFIG_HOME: folder.path,
    REPOLESS_SERVICE: backend.address,
    REPOLESS_TOKEN: await backend.token(OPERATOR),
  };
}, 120_000);

/** Starts a command as a terminal does; `out`: a file for its output. */
function start(words: readonly string[], out: number | 'pipe' = 'pipe') {
  return spawn(process.execPath, [PROGRAM, ...words], { cwd: folder.path, env, stdio: ['pipe', out, 'pipe'] });
}

/** Its output and exit status. */
async function ended(child: ReturnType<typeof start>) {
  const [out, err, [code]] = await Promise.all([child.stdout === null ? '' : text(child.stdout), errorsOf(child), once(child, 'close')]);
  return { code: code as unknown, out, err };
}

const errorsOf = (child: ReturnType<typeof start>) => (child.stderr === null ? '' : text(child.stderr));

test('shows control characters in what others wrote, and sends none to the terminal', async () => {
  const name = 'ready\u001B[2J\u001B]0;title\u0007\u009B1mstop\r';
  const versions = '/config/wknd/sites/one/versions/1.json';
  const named = await backend.call('POST', versions, { as: OPERATOR, body: { name: `${name}now` } });
  expect(named.status, named.text).toBe(200);
  const history = ['history', '--organization', 'wknd', '--site', 'one'];
  const { code, out } = await ended(start(history));
  expect([code, out]).toEqual([0, expect.stringContaining(String.raw`ready\u001b[2J\u001b]0;title\u0007\u009b1mstop\u000dnow`)]);
  const json = await ended(start([...history, '--json']));
  expect(JSON.stringify(JSON.parse(json.out))).toContain(JSON.stringify(name).slice(1, -1));
  expect(`${out}${json.out}`).not.toMatch(/(?!\n)\p{Cc}/u);
});

describe('The help of a command of the service', () => {
  test.each(
    OPERATOR_COMMANDS.flatMap((command) => [
      [command, '--help'],
      [command, '-h'],
    ]),
  )('is all that %s %s prints and does', async (...words) => {
    const before = await readdir(folder.path);
    expect(await ended(start(words))).toMatchObject({ code: 0, err: '', out: expect.stringContaining('backup <file>') });
    expect(await readdir(folder.path)).toEqual(before);
  });
});

describe('An answer', () => {
  test('that does not fit on a full disk ends the command with 1', async () => {
    const full = await open('/dev/full', 'w');
    expect(await ended(start(EXPORT, full.fd))).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^The answer could not be written: ENOSPC/),
    });
    await full.close();
  });

  test('whose reader has closed is not an error', async () => {
    const child = start(EXPORT);
    child.stdout?.destroy();
    const [err, [code]] = await Promise.all([errorsOf(child), once(child, 'close')]);
    expect({ code: code as unknown, err }).toEqual({ code: 0, err: '' });
  });
});

test('A command that waits for its file on standard input is stopped by one Ctrl-C', async () => {
  const child = start(['plan', '-f', '-']);
  // The program has consumed this, so it is reading.
  await new Promise((resolve) => child.stdin?.write(`# ${'x'.repeat(1_000_000)}\n`, resolve));
  sendSignal(child.pid ?? 0, 'SIGINT');
  expect(await ended(child)).toEqual({ code: 1, out: '', err: 'Stopped.\n' });
});

describe('An option', () => {
  test.each<[words: readonly string[], sentence: string]>([
    [['plan', '-f', 'a.yaml', '-f', 'b.yaml'], 'Use it only once.'],
    [['plan', '--frobnicate'], "unknown option '--frobnicate'\nSee repoless --help."],
    [['plan', '-f'], "option '-f, --file <path>' argument"],
    [['plan', '-f', '--site', 'one'], 'It needs a value.'],
    [['plan', '--prune=yes'], "unknown option '--prune=yes'"],
  ])('without effect is reported: %j', async (words, sentence) => {
    const own = await openFolder();
    const refused = await own.repoless(words);
    expect(refused).toMatchObject({ code: 2, err: expect.stringContaining(sentence) });
    expect(JSON.parse((await own.repoless([...words, '--json'])).out)).toMatchObject({
      error: expect.stringContaining(sentence),
      places: [],
    });
    await own.remove();
  });
});

describe('The file of sign-ins', () => {
  test('that cannot be read is named', async () => {
    const own = await openFolder();
    await mkdir(join(own.configDirectory, 'tokens.json'), { recursive: true });
    const refused = await own.repoless(EXPORT, { env: { REPOLESS_SERVICE: backend.address } });
    expect(refused).toMatchObject({ code: 2, err: expect.stringMatching(/^Couldn’t read .*tokens\.json: it is a folder\./) });
    expect(await own.repoless(EXPORT, { env })).toMatchObject({ code: 0 });
    await own.remove();
  });

  test('that cannot be written is named after signing in', async () => {
    const own = await openFolder();
    await writeFile(own.configDirectory, '');
    const refused = await own.repoless(['login'], {
      env: { REPOLESS_SERVICE: backend.address },
      wait,
      onStderr: (onStderr) => void allowCode(backend, OPERATOR, onStderr),
    });
    expect(refused).toMatchObject({
      code: 1,
      err: expect.stringMatching(/The sign-ins in .*tokens\.json couldn’t be changed: .*XDG_CONFIG_HOME/),
    });
    await own.remove();
  });
});
