import type { endpoints } from '#contract/endpoints.ts';
import type { Verb } from '../verb.ts';
import { asked } from './asked.ts';
import { changeSite } from './change-site.ts';
import { partNotFound } from './find-site.ts';
import { ROBOTS } from './robots.ts';

export const deleteRobots: Verb<(typeof endpoints)['deleteRobots']> = (context, input) =>
  changeSite(context, {
    ...asked(input),
    permission: 'config:write',
    action: 'delete-robots',
    view: ROBOTS,
    next: (present) => {
      if (present?.config.robots === undefined) throw partNotFound('robots.txt', input.params);
      const { robots: _robots, ...rest } = present.config;
      return rest;
    },
  });
