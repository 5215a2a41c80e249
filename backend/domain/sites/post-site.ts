import type { endpoints } from '#contract/endpoints.ts';
import { SiteInput } from '#contract/site.ts';
import type { Context } from '../context.ts';
import { Refusal } from '../errors.ts';
import { readVersion, refuseBody, restoring } from '../history/restore.ts';
import type { Input, Outcome, Operation } from '../operation.ts';
import { siteRequest, changeSite } from './change-site.ts';
import { storeMigration } from './migrate-site.ts';

type PostSite = (typeof endpoints)['postSite'];

/** Registers a further site for the same repository (call 2), replaces a site whole, or restores a version of it. */
export const postSite: Operation<PostSite> = (context, input) => {
  const version = input.query.restoreVersion;
  if (version !== undefined) return restore(context, input, version);
  if (input.query.migrate === true) return storeMigration(context, input);
  const { body } = input;
  if (body === undefined)
    throw new Refusal('BODY_MISSING', 'missing body', { detail: 'Send the site, ?migrate=true, or ?restoreVersion=<number>.' });
  return changeSite(context, {
    ...siteRequest(input),
    permission: 'config:write',
    action: 'post-site',
    creates: true,
    replacesWhole: () => true,
    next: () => body,
  });
};

function restore(context: Context, input: Input<PostSite>, version: number): Promise<Outcome> {
  refuseBody(input.body);
  const subject = { kind: 'site', ...input.params } as const;
  return restoring(version, () =>
    changeSite(context, {
      ...siteRequest(input),
      permission: 'config:write',
      action: `restore-site/${version}`,
      creates: true,
      restores: version,
      replacesWhole: () => true,
      next: (_present, reads) => readVersion(reads, subject, version, SiteInput),
    }),
  );
}
