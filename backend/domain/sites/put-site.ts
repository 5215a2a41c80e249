import type { endpoints } from '#contract/endpoints.ts';
import { Refusal } from '../errors.ts';
import type { Verb } from '../verb.ts';
import { asked } from './asked.ts';
import { changeSite } from './change-site.ts';
import { storeMigration } from './migrate-site.ts';

/** Creates or replaces a site whole (call 1), or takes it from its repository. */
export const putSite: Verb<(typeof endpoints)['putSite']> = async (context, input) => {
  if (input.query.migrate === true) return await storeMigration(context, input);
  const { body } = input;
  if (body === undefined)
    throw new Refusal('BODY_UNPARSABLE', 'error parsing request body', { detail: 'Send the site, or ?migrate=true.' });
  return await changeSite(context, {
    ...asked(input),
    permission: 'config:write',
    action: 'put-site',
    creates: true,
    next: () => body,
  });
};
