import { example } from './step.ts';
import { profilePartExamples } from './scenario-parts.ts';
import type { Step } from './step.ts';

const EDITOR = { params: { name: 'universal' } };
const OWN = { params: { name: 'own-program' } };
const TOKEN = { params: { id: '$PROFILE_TOKEN' } };
const KEY = { params: { id: '$PROFILE_KEY' } };

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

  example('setProfileEditorEntry', EDITOR),
  example('getProfileEditorEntry', EDITOR),
  example('deleteProfileEditorEntry', EDITOR),

  example('setProfileSecret', OWN),
  example('getProfileSecret', OWN),
  example('generateProfileSecret'),
  example('listProfileSecrets'),
  example('deleteProfileSecret', OWN),
  example('createProfileToken', { keep: { PROFILE_TOKEN: 'id' } }),
  example('getProfileToken', TOKEN),
  example('listProfileTokens'),
  example('deleteProfileToken', TOKEN),
  example('createProfileApiKey', { keep: { PROFILE_KEY: 'id' } }),
  example('getProfileApiKey', KEY),
  example('listProfileApiKeys'),
  example('deleteProfileApiKey', KEY),

  example('setSiteExtends'),
  example('getSiteExtends'),
  example('getAggregate'),
  example('getAggregatePart'),
  example('getAggregateRobots'),
  example('deleteProfileRobots'),
  example('deleteProfile', { title: 'While a site extends it.', status: 409 }),
  example('deleteSiteExtends'),

  example('listProfileVersions', {}),
  example('getProfileVersion'),
  example('compareProfileVersions'),
  example('nameProfileVersion'),
  example('deleteProfileVersion'),
  example('deleteProfile'),
];
