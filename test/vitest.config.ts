import { defineConfig } from 'vitest/config';

const resolve = { conditions: ['repoless-source', 'module', 'browser', 'development|production'] };
const node = { conditions: ['repoless-source', 'module', 'node', 'development|production'] };
const root = new URL('..', import.meta.url).pathname;

/** `node`: everything that needs no browser document; `dom`: views under jsdom; `browser`: journeys in a real Chromium. */
export default defineConfig({
  root,
  resolve: node,
  ssr: { resolve: node },
  test: {
    // Tests wait more than they compute: with one worker on two cores, half of the machine would stand still.
    maxWorkers: 2,
    globalSetup: ['test/support/check-answers-setup.ts'],
    projects: [
      {
        root,
        resolve: node,
        ssr: { resolve: node },
        test: {
          name: 'node',
          environment: 'node',
          include: ['test/{contract,domain,http,storage,code,setup,sandbox,faults,command-line,build-management,docs}/**/*.test.ts'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        root,
        resolve,
        test: {
          name: 'dom',
          environment: 'jsdom',
          include: ['test/views/**/*.test.tsx'],
          setupFiles: ['test/support/dom.ts'],
          testTimeout: 30_000,
          server: { deps: { inline: [/@adobe\/react-spectrum/, /@spectrum-icons/, /@react-spectrum/] } },
        },
      },
      {
        root,
        resolve: node,
        ssr: { resolve: node },
        test: {
          name: 'browser',
          environment: 'node',
          include: ['test/{journeys,browser}/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
