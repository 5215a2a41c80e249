import type { endpoints } from '#contract/endpoints.ts';
import { removeGroup } from '../changes/group-calls.ts';
import type { Verb } from '../verb.ts';
import { SITES } from './sites.ts';

export const deleteSiteGroup: Verb<(typeof endpoints)['deleteSiteGroup']> = removeGroup(SITES, 'access:write');
