import { mergeConfig } from 'vitest/config';
import counterparts from '../vitest.config.ts';

/** The tests against Apache Sling: `npm run test:sling`. */
export default mergeConfig(counterparts, {
  test: { globalSetup: ['test/counterparts/sling/once.ts'], include: ['test/counterparts/sling/**/*.test.ts'], fileParallelism: false },
});
