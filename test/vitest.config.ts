import { readdirSync, readFileSync } from 'node:fs';
import { configDefaults, defineConfig } from 'vitest/config';
import { COSTLY_FILES, LEAVES_COSTLY_FILES } from './support/costly-files.ts';
import { LongestFirst } from './support/longest-first.ts';
import { HOSTED_JOURNEYS, OWN_JOURNEYS } from './support/on-both.ts';
import { IS_LONG } from './support/long-tests.ts';

// Without `module`, which is a condition of bundlers: what it leads to cannot always be loaded by Node.js itself.
const resolve = { conditions: ['repoless-source', 'browser', 'development|production'] };
/** What `npm test` has just built is loaded by Node.js itself: an eighth less processor time than to transform the sources for each worker. */
const isBuilt = process.env['REPOLESS_BUILT'] === 'yes';
const node = { conditions: [...(isBuilt ? [] : ['repoless-source']), 'node', 'development|production'] };
const built = { deps: { external: [/\/(?:contract|core|command-line|backend|extension|sandbox)\/dist\//] } };
const root = new URL('..', import.meta.url).pathname;
/** A state that is waited for comes late on a busy machine; one that never comes costs this once. */
const patient = { poll: { timeout: 15_000 } };
const exclude = [...configDefaults.exclude, ...(LEAVES_COSTLY_FILES ? COSTLY_FILES.map((file) => `test/${file}`) : [])];

/** Tests of the command line in a world of their own run on both services. What the hosted one lacks is left out by its name (test/support/on-both.ts). */
const commandLine = `${root}test/command-line/`;
const onBoth = readdirSync(commandLine).filter(
  (file) => file.endsWith('.test.ts') && readFileSync(`${commandLine}${file}`, 'utf8').includes('inCommandWorld('),
);

/**
 * Journeys that run on both services: on the hosted one, the pipeline runs those that show most, and SUITE_SERVICE=hosted all of them. Those of the
 * hosted service alone run beside them.
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
    // Tests wait as long as they compute: with four workers on two cores, a fifth of the machine stands still. Most of the costly ones compute.
    maxWorkers: LEAVES_COSTLY_FILES ? 5 : 4,
    // On Node.js 20 a library says at each start that it would rather have a later one; it works with both.
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
          // Modules are loaded once a worker, not once a file; no test changes what a module holds.
          isolate: false,
          environment: 'node',
          server: built,
          include: [
            'test/{contract,domain,http,storage,code,setup,sandbox,faults,command-line,build-management,docs,soak,upstream}/**/*.test.ts',
            // Three nodes are restarted again and again while people read and write: there is no short form of that.
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
          // Spectrum takes longer to load than most files take: it is loaded once a worker. Each test cleans up its document.
          isolate: false,
          include: ['test/views/**/*.test.tsx'],
          setupFiles: ['test/support/dom.ts'],
          testTimeout: 30_000,
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
          // The files that a worker runs one after the other share its Chromium and its sandbox (test/support/shared-constellation.ts).
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
