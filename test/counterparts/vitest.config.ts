import { defineConfig } from 'vitest/config';

const root = new URL('../..', import.meta.url).pathname;
// Without `module`: some packages' files under it are for bundlers, and Node.js cannot load them.
const node = { conditions: ['repoless-source', 'node', 'development|production'] };

/** Tests against programs that a user's `npm test` does not need: each folder is a command of its own. */
export default defineConfig({
  root,
  resolve: node,
  ssr: { resolve: node },
  test: {
    globalSetup: ['test/support/memory-folder.ts', 'test/support/check-answers-setup.ts'],
    environment: 'node',
    include: ['test/counterparts/**/*.test.ts'],
    expect: { poll: { timeout: 15_000 } },
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
