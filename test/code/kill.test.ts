import { describe } from 'vitest';
import { killJourney } from '../support/kill-journey.ts';

describe.each([
  ['a folder', {}],
  ['the database', { CODE_STORE: 'database' }],
])('with code in %s, the service', (_, settings) => {
  killJourney(async () => settings);
});
