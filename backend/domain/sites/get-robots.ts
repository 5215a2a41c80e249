import type { endpoints } from '#contract/endpoints.ts';
import { readRobots } from '../changes/robots-calls.ts';
import type { Verb } from '../verb.ts';
import { SITES } from './sites.ts';

export const getRobots: Verb<(typeof endpoints)['getRobots']> = readRobots(SITES);
