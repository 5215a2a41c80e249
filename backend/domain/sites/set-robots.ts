import type { endpoints } from '#contract/endpoints.ts';
import { replaceRobots } from '../changes/robots-calls.ts';
import type { Verb } from '../verb.ts';
import { SITES } from './sites.ts';

export const setRobots: Verb<(typeof endpoints)['setRobots']> = replaceRobots(SITES, 'config:write');
