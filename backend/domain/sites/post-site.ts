import type { endpoints } from '#contract/endpoints.ts';
import { SiteInput } from '#contract/site.ts';
import type { Context } from '../context.ts';
import { Refusal } from '../errors.ts';
import { readVersion, refuseBody, restoring } from '../history/restore.ts';
import type { Input, Outcome, Verb } from '../verb.ts';
import { asked } from './asked.ts';
import { changeSite } from './change-site.ts';
import { storeMigration } from './migrate-site.ts';

type PostSite = (typeof endpoints)['postSite'];

/** Registers a further site for the same repository (call 2), replaces a site, or restores a version of it. */
export const postSite: Verb<PostSite> = (context, input) => {
  const version = input.query.restoreVersion;
  if (version !== undefined) return restore(context, input, version);
  if (input.query.migrate === true) return storeMigration(context, input);
  const { body } = input;
  if (body === undefined)
    throw new Refusal('BODY_MISSING', 'missing body', { detail: 'Send the site, ?migrate=true, or ?restoreVersion=<number>.' });
  return changeSite(context, {
    ...asked(input),
    permission: 'config:write',
    action: 'post-site',
    creates: true,
    next: () => body,
  });
};

function restore(context: Context, input: Input<PostSite>, version: number): Promise<Outcome> {
  refuseBody(input.body);
  const subject = { kind: 'site', ...input.params } as const;
  return restoring(version, () =>
    changeSite(context, {
      ...asked(input),
      permission: 'config:write',
      action: `restore-site/${version}`,
      creates: true,
      restores: true,
      next: (_present, reads) => readVersion(reads, subject, version, SiteInput),
    }),
  );
}
