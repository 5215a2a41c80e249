import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { ADA, startSetupWorld } from '../setup/setup-world.ts';
import { buildCommandLine, temporaryDirectory } from '../support/child-backend.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

const ROOT = new URL('../..', import.meta.url).pathname;
const MANUAL = join(ROOT, 'docs/command-line.md');
const Workflow = z.object({
  jobs: z.record(
    z.string(),
    z.object({ env: z.record(z.string(), z.string()), steps: z.array(z.looseObject({ run: z.string().optional() })) }),
  ),
});
const execute = promisify(execFile);

let clone: string;
let env: Record<string, string>;
const world = startBeforeAll(startSetupWorld, 120_000);
const folder = startBeforeAll(temporaryDirectory);
beforeAll(async () => {
  await buildCommandLine();
  clone = join(folder.path, 'clone');
  const bin = join(folder.path, 'bin');
  env = {
    PATH: [bin, process.env['PATH'] ?? ''].join(delimiter),
    HOME: folder.path,
    REPOLESS_SERVICE: world.backend.address,
    REPOLESS_TOKEN: await world.backend.token(ADA),
    GIT_AUTHOR_NAME: 'Ada',
    GIT_AUTHOR_EMAIL: ADA,
    GIT_COMMITTER_NAME: 'Ada',
    GIT_COMMITTER_EMAIL: ADA,
    PR: '7',
    npm_config_update_notifier: 'false',
  };
  // A stand-in of GitHub's program, for comments only.
  await mkdir(bin);
  await writeFile(
    join(bin, 'gh'),
    `#!/bin/sh\necho "$@" > ${folder.path}/gh.txt\nwhile [ "$#" -gt 1 ]; do shift; done\ncp "$1" ${folder.path}/comment.md\n`,
  );
  await chmod(join(bin, 'gh'), 0o755);
  await execute('git', ['init', '--quiet', '--bare', '--initial-branch=main', join(folder.path, 'origin.git')]);
  await execute('git', ['clone', '--quiet', join(folder.path, 'origin.git'), clone], { env });
  await mkdir(join(clone, 'node_modules/.bin'), { recursive: true });
  await symlink(join(ROOT, 'command-line/dist/main.js'), join(clone, 'node_modules/.bin/repoless'));
  await mkdir(join(clone, 'ci'));
  for (const name of ['ci/plan.sh', 'ci/apply.sh']) await writeFile(join(clone, name), await documented(name));
}, 120_000);

/** The first code block after a file's name in the manual. */
async function documented(name: string): Promise<string> {
  const text = await readFile(MANUAL, 'utf8');
  const [, block] = /```\w+\n([\s\S]*?)```/.exec(text.slice(text.indexOf(`\`${name}\``))) ?? [];
  if (block === undefined) throw new Error(`docs/command-line.md has no ${name}.`);
  return block;
}

/** Runs the steps of a job as GitHub does: with `bash -e`, after a failure only those with `always()`. Returns the first status that is not 0. */
async function job(name: string): Promise<{ readonly status: number; readonly output: string }> {
  const { jobs } = Workflow.parse(parse(await documented('.github/workflows/sites.yaml')));
  const { env: named = {} } = jobs[name] ?? {};
  // Of what the command line reads it has what the job names.
  const own = Object.fromEntries(Object.entries(env).filter(([variable]) => !variable.startsWith('REPOLESS_') || variable in named));
  let status = 0;
  let output = '';
  for (const step of jobs[name]?.steps ?? []) {
    if (step.run === undefined || step.run === 'npm ci' || (status !== 0 && step['if'] !== 'always()')) continue;
    const ended = await execute('bash', ['-e', '-c', step.run], { cwd: clone, env: own }).then(
      ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
      (error: unknown) => z.object({ code: z.number(), stdout: z.string(), stderr: z.string() }).parse(error),
    );
    output += ended.stdout + ended.stderr;
    status = status === 0 ? ended.code : status;
  }
  return { status, output };
}

async function commit(...locales: readonly string[]): Promise<void> {
  const sites = locales.map((root) => `  - name: ${root.split('/').slice(2).join('-')}\n    contentRoot: ${root}\n`).join('');
  const text = `version: 1
organization: wknd
author: ${world.authorAddress()}
code: { owner: wknd, repo: wknd }
access: { role: { admin: [${ADA}] } }
technicalAccount: p100-e200@techacct.example.com
sites:
${sites}`;
  await writeFile(join(clone, 'sites.yaml'), text);
  await execute('git', ['add', 'sites.yaml', 'ci'], { cwd: clone, env });
  await execute('git', ['commit', '--quiet', '--message', 'Change the sites'], { cwd: clone, env });
  await execute('git', ['push', '--quiet', 'origin', 'HEAD:main'], { cwd: clone, env });
}

const registered = async () => {
  const list = await world.backend.call('GET', '/config/wknd/sites.json', { as: ADA });
  return z
    .object({ sites: z.array(z.object({ name: z.string() })) })
    .parse(list.json())
    .sites.map(({ name }) => name);
};
const comment = () => readFile(join(folder.path, 'comment.md'), 'utf8');

test(
  'The documented pipeline plans, comments, applies, syncs and checks; dropped sites are removed once',
  { timeout: 240_000 },
  async () => {
    await commit('/content/legacy');
    expect(await job('plan')).toMatchObject({ status: 0 });
    expect(await readFile(join(folder.path, 'gh.txt'), 'utf8')).toBe('pr comment 7 --edit-last --create-if-none --body-file plan.md\n');
    expect(await comment()).toMatch(/^1 to create, 0 to change, 0 in sync\.$/m);
    expect(await registered()).toEqual([]);

    const applied = await job('apply');
    expect(applied).toMatchObject({ status: 0, output: expect.stringMatching(/^1 synced, 0 failed\.$/m) });
    expect(applied.output).toMatch(/^No errors, but \d+ checks were not made/m);
    expect(await registered()).toEqual(['legacy']);

    await commit('/content/legacy', '/content/wknd/de/en');
    const checked = await job('apply');
    expect(checked).toMatchObject({ status: 3, output: expect.stringMatching(/^wknd-de-en: error page-live: /m) });

    await commit('/content/legacy');
    expect(await job('plan')).toMatchObject({ status: 0 });
    expect(await comment()).toMatch(/\| `wknd-de-en` \| remove \|/);
    // A run was skipped: the next one still knows what was last applied.
    await commit('/content/legacy', '/content/wknd/de/de');
    expect((await job('apply')).output).toMatch(/^created wknd-de-de\nremoved wknd-de-en$/m);
    expect(await registered()).toEqual(['legacy', 'wknd-de-de']);

    await rm(join(folder.path, 'comment.md'));
    await commit('/content/legacy', '/content/Legacy EN');
    const refused = await job('plan');
    expect(refused).toMatchObject({ status: 2, output: expect.stringMatching(/^sites\.yaml:\d+:\d+: /m) });
    expect(existsSync(join(folder.path, 'comment.md'))).toBe(false);
    for (const { output } of [applied, checked, refused]) expect(output).not.toContain(env['REPOLESS_TOKEN']);
  },
);
