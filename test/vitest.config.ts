import { readdirSync, readFileSync } from 'node:fs';
import { configDefaults, defineConfig } from 'vitest/config';
import { COSTLY_FILES, LEAVES_COSTLY_FILES } from './support/costly-files.ts';
import { LongestFirst } from './support/longest-first.ts';
import { HOSTED_JOURNEYS, OWN_JOURNEYS } from './support/on-both.ts';
import { IS_LONG } from './support/long-tests.ts';
import { unhandledErrors } from './support/unhandled-errors.ts';

// Without `module`, a condition for bundlers: Node.js itself cannot always load those files.
const resolve = { conditions: ['repoless-source', 'browser', 'development|production'] };
/** Node.js itself loads what `npm test` has just built: an eighth less processor time than transforming the sources for each worker. */
const isBuilt = process.env['REPOLESS_BUILT'] === 'yes';
const node = { conditions: [...(isBuilt ? [] : ['repoless-source']), 'node', 'development|production'] };
const built = { deps: { external: [/\/(?:contract|core|command-line|backend|extension|sandbox)\/dist\//] } };
/** The path of the report that `npm test` reads. */
const report = process.env['REPOLESS_REPORT'];
const root = new URL('..', import.meta.url).pathname;
/** Expected states are late on a busy machine; one that never comes costs this once. */
const withinTime = { poll: { timeout: 15_000 } };
const exclude = [...configDefaults.exclude, ...(LEAVES_COSTLY_FILES ? COSTLY_FILES.map((file) => `test/${file}`) : [])];

/** Tests of the command line with their own world run on both services. What the hosted one lacks is skipped by feature (test/support/on-both.ts). */
const commandLine = `${root}test/command-line/`;
const onBoth = readdirSync(commandLine).filter(
  (file) => file.endsWith('.test.ts') && readFileSync(`${commandLine}${file}`, 'utf8').includes('inCommandWorld('),
);

/**
 * Journeys that run on both services: on the hosted one, the pipeline runs the most telling, and SUITE_SERVICE=hosted all of them. Those only for
 * the hosted service run alongside them.
 */
const journeys = readdirSync(`${root}test/journeys`).filter((file) => file.endsWith('.test.ts'));
const ofHosted = journeys.filter((file) => file.startsWith('hosted-'));
const journeysOnBoth = journeys.filter((file) => !ofHosted.includes(file) && OWN_JOURNEYS[file] === undefined);
const journeysOnHosted = [
  ...ofHosted,
  ...(process.env['SUITE_SERVICE'] === 'hosted' ? journeysOnBoth : LEAVES_COSTLY_FILES ? [] : HOSTED_JOURNEYS),
].map((file) => `test/journeys/${file}`);

/** A project whose files share a worker and its modules; no test changes a module's state. */
const project = (name: string, include: string[], more: object = {}, loading: object = { resolve: node, ssr: { resolve: node } }) => ({
  root,
  ...loading,
  test: {
    name,
    include,
    exclude,
    expect: withinTime,
    isolate: false,
    environment: 'node',
    server: built,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    ...more,
  },
});
const onHosted = { env: { SUITE_SERVICE: 'hosted' } };
const inBrowser = { testTimeout: 120_000, hookTimeout: 120_000 };

/** `node`: everything that needs no browser document; `hosted`: the command line on the hosted service; `dom`: views under jsdom; `browser`: journeys in a real Chromium; `browser-hosted`: the same on the hosted service. */
export default defineConfig({
  root,
  resolve: node,
  ssr: { resolve: node },
  test: {
    // Tests wait as long as they compute: with four workers on two cores, a fifth of the machine is idle. Most costly ones compute.
    maxWorkers: LEAVES_COSTLY_FILES ? 5 : 4,
    // On Node.js 20 a library recommends a later version at each start, although it works with both.
    onConsoleLog: (log) => !log.includes('oidc-provider WARNING: Unsupported runtime'),
    reporters: report === undefined ? ['default'] : ['default', ['json', { outputFile: report }], unhandledErrors(`${report}.unhandled`)],
    sequence: { sequencer: LongestFirst },
    globalSetup: ['test/support/memory-folder.ts', 'test/support/check-answers-setup.ts'],
    projects: [
      project('node', [
        'test/{contract,domain,http,storage,code,setup,sandbox,faults,command-line,build-management,docs,soak,upstream}/**/*.test.ts',
        // Three nodes are restarted repeatedly while people read and write, which has no short form.
        ...(IS_LONG ? ['test/upgrade/**/*.test.ts'] : []),
      ]),
      project(
        'hosted',
        onBoth.map((file) => `test/command-line/${file}`),
        onHosted,
      ),
      project(
        'dom',
        ['test/views/**/*.test.tsx'],
        {
          environment: 'jsdom',
          // Each test cleans up its document.
          setupFiles: ['test/support/dom.ts'],
          testTimeout: 90_000,
          server: { deps: { inline: [/@adobe\/react-spectrum/, /@spectrum-icons/, /@react-spectrum/] } },
        },
        { resolve },
      ),
      // The files of a worker share its Chromium and its sandbox (test/support/shared-constellation.ts).
      project('browser', ['test/{journeys,browser}/**/!(hosted-*).test.ts'], inBrowser),
      project('browser-hosted', journeysOnHosted, { ...inBrowser, ...onHosted }),
    ],
  },
});
