import type { endpoints } from '#contract/endpoints.ts';
import { Refusal } from '../errors.ts';
import type { Verb } from '../verb.ts';
import { asked } from './asked.ts';
import { changeSite } from './change-site.ts';
import { ROBOTS, TEXT } from './robots.ts';

export const setRobots: Verb<(typeof endpoints)['setRobots']> = async (context, input) => {
  const txt = input.body;
  if (txt === undefined || txt === '') {
    throw new Refusal('BODY_MISSING', 'missing body', { detail: 'Send the text of robots.txt; DELETE removes it.' });
  }
  const outcome = await changeSite(context, {
    ...asked(input),
    permission: 'config:write',
    action: 'set-robots',
    view: ROBOTS,
    next: (present) => ({ ...present?.config, robots: { txt } }),
  });
  return input.query.dryRun === true ? outcome : { ...outcome, headers: TEXT };
};
