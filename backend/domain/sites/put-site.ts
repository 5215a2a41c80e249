import type { endpoints } from '#contract/endpoints.ts';
import type { Verb } from '../verb.ts';
import { asked } from './asked.ts';
import { changeSite } from './change-site.ts';

/** Creates or replaces a site whole (call 1). */
export const putSite: Verb<(typeof endpoints)['putSite']> = (context, input) =>
  changeSite(context, {
    ...asked(input),
    permission: 'config:write',
    action: 'put-site',
    creates: true,
    next: () => input.body,
  });
