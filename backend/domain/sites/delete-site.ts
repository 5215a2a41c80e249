import type { endpoints } from '#contract/endpoints.ts';
import type { Verb } from '../verb.ts';
import { asked } from './asked.ts';
import { changeSite } from './change-site.ts';

/** Removes a site. Its history is kept, and a version of it can be restored. */
export const deleteSite: Verb<(typeof endpoints)['deleteSite']> = (context, input) =>
  changeSite(context, { ...asked(input), permission: 'site:delete', action: 'delete-site', next: () => null });
