import type { endpoints } from '#contract/endpoints.ts';
import { readGroup } from '../changes/group-calls.ts';
import type { Verb } from '../verb.ts';
import { SITES } from './sites.ts';

export const getSiteGroup: Verb<(typeof endpoints)['getSiteGroup']> = readGroup(SITES);
