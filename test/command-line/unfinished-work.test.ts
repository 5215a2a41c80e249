import { expect, test } from 'vitest';
import { JobStatus } from '@repoless/contract/job.ts';
import { ADA } from '../setup/setup-world.ts';
import { OPERATOR } from '../support/backend.ts';
import { startUnreliableProxy } from '../support/unreliable-proxy.ts';
import { world, env, folder, localesFile, inCommandWorld, sitesFile, asOperator } from './command.ts';

inCommandWorld({ sites: true, authoring: true, needs: 'git' });

const job = async () => JobStatus.parse((await world.backend.call('GET', '/job/wknd/wknd-de-en/main/code', { as: ADA })).json());
const sync = () => world.backend.call('POST', '/code/wknd/wknd-de-en/main/*', { as: ADA });

test('A site is not fine while its repository’s code is not served', { timeout: 90_000 }, async () => {
  await world.codeHost.copy('quiet');
  const site = '  - { name: wknd-de-en, contentRoot: /content/wknd/de/en, cloudConfiguration: /conf/wknd/de-en }\n';
  const head = { code: '{ owner: wknd, repo: quiet }', cloudConfiguration: '/conf/wknd' };
  await folder.write('sites.yaml', sitesFile(world.authorAddress(), site, head));
  const repoless = (command: string) => folder.repoless([command, '-f', 'sites.yaml'], { env });
  expect((await repoless('apply')).code).toBe(0);
  expect(await repoless('check')).toMatchObject({ code: 0, out: expect.stringMatching(/The site is fine\.$/m) });

  await (await world.codeHost.clone('quiet')).push({ '.hlxignore': 'component-models.json\n' });
  expect((await sync()).status).toBe(202);
  await expect.poll(async () => (await job()).state).toBe('stopped');
  const left = await repoless('check');
  expect(left).toMatchObject({
    code: 3,
    out: expect.stringMatching(/^wknd-de-en: error editor-files: Not served: component-models\.json\. The repository has them\./m),
  });
  expect(left.out).not.toContain('fine');

  await world.codeHost.fault({ mode: 'slow', delay: 600_000, path: '/wknd/quiet' });
  expect((await sync()).status).toBe(202);
  const pending = await repoless('check');
  await world.codeHost.fault({ mode: 'none' });
  expect(pending).toMatchObject({
    code: 4,
    // The code host is too slow for a check of the repository too.
    out: expect.stringMatching(/^wknd-de-en: not checked editor-files: /m),
  });
  expect(pending.out).not.toContain('fine');
});

/** The service behind a proxy that stops a command at its first write of a site. */
async function startStopping() {
  const stopper = new AbortController();
  const unreliable = await startUnreliableProxy({
    target: world.backend.address,
    fate: ({ method, path }) => {
      if (method === 'PUT' && !path.includes('dryRun')) stopper.abort();
      return 'pass';
    },
  });
  return { stopper, unreliable };
}

test('A stopped apply names a site whose pages are not written yet as partly written', async () => {
  const { stopper, unreliable } = await startStopping();
  const site = '  - { name: part-de-en, contentRoot: /content/wknd/de/en, cloudConfiguration: /conf/wknd/part }\n';
  await folder.write('sites.yaml', sitesFile(world.authorAddress(), site, { cloudConfiguration: '/conf/wknd' }));
  await asOperator.call('DELETE', '/config/wknd/sites/wknd-de-en.json');
  const through = { ...env, REPOLESS_SERVICE: unreliable.address };
  const stopped = await folder.repoless(['apply', '-f', 'sites.yaml'], { env: through, signal: stopper.signal });
  await unreliable.stop();
  await asOperator.call('DELETE', '/config/wknd/sites/part-de-en.json');
  expect(stopped, stopped.out + stopped.err).toMatchObject({ code: 1, out: expect.stringMatching(/^partly written part-de-en$/m) });
  expect(stopped.out).toMatch(/^0 created, 0 changed, 0 unchanged, 0 failed, 1 partly written, 0 not started\.$/m);
});

test('A stopped apply distinguishes sites that are only not verified from sites not started', async () => {
  const { stopper, unreliable } = await startStopping();
  await folder.write('sites.yaml', localesFile(unreliable.address, 'cut', 2));
  const service = { REPOLESS_TOKEN: await world.backend.token(OPERATOR), REPOLESS_SERVICE: unreliable.address };
  const argv = ['apply', '-f', 'sites.yaml', '--concurrency', '1'];
  const stopped = await folder.repoless(argv, { env: service, signal: stopper.signal });
  await unreliable.stop();
  expect(stopped.code).toBe(1);
  expect(stopped.out).toMatch(/^written, not verified cut-aa-de$/m);
  expect(stopped.out).not.toContain('cut-aa-en');
  expect(stopped.out).toMatch(/^0 created, 0 changed, 0 unchanged, 0 failed, 1 written but not verified, 1 not started\.$/m);
  expect((await world.backend.call('GET', '/config/wknd/sites/cut-aa-de.json', { as: OPERATOR })).status).toBe(200);
});
