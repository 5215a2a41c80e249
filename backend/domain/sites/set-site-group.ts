import type { endpoints } from '#contract/endpoints.ts';
import { replaceGroup } from '../changes/group-calls.ts';
import type { Verb } from '../verb.ts';
import { SITES } from './sites.ts';

export const setSiteGroup: Verb<(typeof endpoints)['setSiteGroup']> = replaceGroup(SITES, 'access:write');
