import type { endpoints } from '#contract/endpoints.ts';
import type { Verb } from '../verb.ts';
import { asked } from './asked.ts';
import { changeSite } from './change-site.ts';
import { groupView } from './site-group.ts';

export const setSiteGroup: Verb<(typeof endpoints)['setSiteGroup']> = (context, input) =>
  changeSite(context, {
    ...asked(input),
    permission: 'access:write',
    action: `set-groups/${input.params.group}`,
    view: groupView(input.params.group),
    next: (present) => ({ ...present?.config, groups: { ...present?.config.groups, [input.params.group]: input.body } }),
  });
