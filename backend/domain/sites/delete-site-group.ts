import type { endpoints } from '#contract/endpoints.ts';
import type { Verb } from '../verb.ts';
import { asked } from './asked.ts';
import { changeSite } from './change-site.ts';
import { partNotFound } from './find-site.ts';
import { groupOf, groupView } from './site-group.ts';

export const deleteSiteGroup: Verb<(typeof endpoints)['deleteSiteGroup']> = (context, input) =>
  changeSite(context, {
    ...asked(input),
    permission: 'access:write',
    action: `delete-groups/${input.params.group}`,
    view: groupView(input.params.group),
    next: (present) => {
      if (groupOf(present?.config, input.params.group) === undefined) throw partNotFound(`group "${input.params.group}"`, input.params);
      const { [input.params.group]: _removed, ...groups } = present?.config.groups ?? {};
      const { groups: _groups, ...rest } = present?.config ?? {};
      return Object.keys(groups).length === 0 ? rest : { ...rest, groups };
    },
  });
