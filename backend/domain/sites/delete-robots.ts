import type { endpoints } from '#contract/endpoints.ts';
import { removeRobots } from '../changes/robots-calls.ts';
import type { Verb } from '../verb.ts';
import { SITES } from './sites.ts';

export const deleteRobots: Verb<(typeof endpoints)['deleteRobots']> = removeRobots(SITES, 'config:write');
