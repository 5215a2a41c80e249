import { readdirSync, readFileSync } from 'node:fs';
import { configDefaults, defineConfig } from 'vitest/config';
import { COSTLY_FILES, LEAVES_COSTLY_FILES } from './support/costly-files.ts';
import { LongestFirst } from './support/longest-first.ts';
import { HOSTED_JOURNEYS, OWN_JOURNEYS } from './support/on-both.ts';
import { IS_LONG } from './support/long-tests.ts';

// Without `module`, a condition for bundlers: Node.js itself cannot always load those files.
const resolve = { conditions: ['repoless-source', 'browser', 'development|production'] };
/** Node.js itself loads what `npm test` has just built: an eighth less processor time than transforming the sources for each worker. */
const isBuilt = process.env['REPOLESS_BUILT'] === 'yes';
const node = { conditions: [...(isBuilt ? [] : ['repoless-source']), 'node', 'development|production'] };
const built = { deps: { external: [/\/(?:contract|core|command-line|backend|extension|sandbox)\/dist\//] } };
const root = new URL('..', import.meta.url).pathname;
/** Expected states are late on a busy machine; one that never comes costs this once. */
const patient = { poll: { timeout: 15_000 } };
const exclude = [...configDefaults.exclude, ...(LEAVES_COSTLY_FILES ? COSTLY_FILES.map((file) => `test/${file}`) : [])];

/** Tests of the command line with their own world run on both services. What the hosted one lacks is skipped by feature (test/support/on-both.ts). */
const commandLine = `${root}test/command-line/`;
const onBoth = readdirSync(commandLine).filter(
  (file) => file.endsWith('.test.ts') && readFileSync(`${commandLine}${file}`, 'utf8').includes('inCommandWorld('),
);

/**
 * Journeys that run on both services: on the hosted one, the pipeline runs the most telling, and SUITE_SERVICE=hosted all of them. Those only for
 * the hosted service run beside them.
 */
const journeys = readdirSync(`${root}test/journeys`).filter((file) => file.endsWith('.test.ts'));
const ofHosted = journeys.filter((file) => file.startsWith('hosted-'));
const journeysOnBoth = journeys.filter((file) => !ofHosted.includes(file) && OWN_JOURNEYS[file] === undefined);
const journeysOnHosted = [
  ...ofHosted,
  ...(process.env['SUITE_SERVICE'] === 'hosted' ? journeysOnBoth : LEAVES_COSTLY_FILES ? [] : HOSTED_JOURNEYS),
].map((file) => `test/journeys/${file}`);

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
    sequence: { sequencer: LongestFirst },
    globalSetup: ['test/support/memory-folder.ts', 'test/support/check-answers-setup.ts'],
    projects: [
      {
        root,
        resolve: node,
        ssr: { resolve: node },
        test: {
          name: 'node',
          expect: patient,
          exclude,
          // Modules are loaded once per worker, not once per file; no test changes a module's state.
          isolate: false,
          environment: 'node',
          server: built,
          include: [
            'test/{contract,domain,http,storage,code,setup,sandbox,faults,command-line,build-management,docs,soak,upstream}/**/*.test.ts',
            // Three nodes are restarted repeatedly while people read and write, which has no short form.
            ...(IS_LONG ? ['test/upgrade/**/*.test.ts'] : []),
          ],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        root,
        resolve: node,
        ssr: { resolve: node },
        test: {
          name: 'hosted',
          expect: patient,
          exclude,
          isolate: false,
          environment: 'node',
          server: built,
          env: { SUITE_SERVICE: 'hosted' },
          include: onBoth.map((file) => `test/command-line/${file}`),
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        root,
        resolve,
        test: {
          name: 'dom',
          expect: patient,
          exclude,
          environment: 'jsdom',
          // Spectrum takes longer to load than most files take, so it is loaded once per worker. Each test cleans up its document.
          isolate: false,
          include: ['test/views/**/*.test.tsx'],
          setupFiles: ['test/support/dom.ts'],
          testTimeout: 90_000,
          hookTimeout: 60_000,
          server: { deps: { inline: [/@adobe\/react-spectrum/, /@spectrum-icons/, /@react-spectrum/] } },
        },
      },
      {
        root,
        resolve: node,
        ssr: { resolve: node },
        test: {
          name: 'browser',
          expect: patient,
          exclude,
          environment: 'node',
          // The files of a worker share its Chromium and its sandbox (test/support/shared-constellation.ts).
          isolate: false,
          server: built,
          include: ['test/{journeys,browser}/**/!(hosted-*).test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        root,
        resolve: node,
        ssr: { resolve: node },
        test: {
          name: 'browser-hosted',
          expect: patient,
          exclude,
          environment: 'node',
          isolate: false,
          server: built,
          env: { SUITE_SERVICE: 'hosted' },
          include: journeysOnHosted,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
