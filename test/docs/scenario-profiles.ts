import { example } from './step.ts';
import { profilePartExamples } from './scenario-parts.ts';
import type { Step } from './step.ts';

/** A profile, and a site that extends it; the site must be there. */
export const PROFILE_EXAMPLES: readonly Step[] = [
  example('putProfile'),
  example('getProfile'),
  example('listProfiles'),
  ...profilePartExamples(),
  example('postProfile'),
  example('setProfileRobots'),
  example('getProfileRobots'),
  example('setProfileGroup'),
  example('getProfileGroup'),
  example('deleteProfileGroup'),

  example('setSiteExtends'),
  example('getSiteExtends'),
  example('getAggregate'),
  example('getAggregatePart'),
  example('getAggregateRobots'),
  example('deleteProfileRobots'),
  example('deleteProfile', { title: 'While a site extends it.', status: 409 }),
  example('deleteSiteExtends'),

  example('listProfileVersions', { lines: 12 }),
  example('getProfileVersion'),
  example('compareProfileVersions'),
  example('nameProfileVersion'),
  example('deleteProfileVersion'),
  example('deleteProfile'),
];
