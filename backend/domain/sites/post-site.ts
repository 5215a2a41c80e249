import type { endpoints } from '#contract/endpoints.ts';
import { jsonPointer } from '#contract/errors.ts';
import { SiteInput } from '#contract/site.ts';
import type { Context } from '../context.ts';
import { Refusal } from '../errors.ts';
import type { Reads } from '../ports.ts';
import type { Input, Outcome, Verb } from '../verb.ts';
import { asked } from './asked.ts';
import { changeSite } from './change-site.ts';

type PostSite = (typeof endpoints)['postSite'];

/** Registers a further site for the same repository (call 2), replaces a site, or restores a version of it. */
export const postSite: Verb<PostSite> = (context, input) => {
  const version = input.query.restoreVersion;
  if (version !== undefined) return restore(context, input, version);
  const { body } = input;
  if (body === undefined) throw new Refusal('BODY_MISSING', 'missing body', { detail: 'Send the site, or ?restoreVersion=<number>.' });
  return changeSite(context, {
    ...asked(input),
    permission: 'config:write',
    action: 'post-site',
    creates: true,
    next: () => body,
  });
};

function restore(context: Context, input: Input<PostSite>, version: number): Promise<Outcome> {
  if (input.body !== undefined) {
    const sentence = 'A version is restored without a body; leave the body or restoreVersion out.';
    throw new Refusal('BODY_INVALID', sentence, { errors: [{ pointer: '', detail: sentence }] });
  }
  return changeSite(context, {
    ...asked(input),
    permission: 'config:write',
    action: 'restore-site',
    creates: true,
    restores: true,
    next: (_present, reads) => readVersion(reads, input.params, version),
  });
}

// What was valid when it was stored may no longer be: it is checked as if it came from outside.
async function readVersion(reads: Reads, name: { org: string; site: string }, version: number): Promise<SiteInput> {
  const found = await reads.version({ kind: 'site', ...name }, version);
  if (found === undefined) throw new Refusal('VERSION_NOT_FOUND', `Site "${name.org}/${name.site}" has no version ${version}.`);
  if (found.data === null) {
    throw new Refusal('VERSION_NOT_FOUND', `Version ${version} records that the site was removed; restore an earlier one.`);
  }
  const parsed = SiteInput.safeParse(found.data);
  if (parsed.success) return parsed.data;
  const errors = parsed.error.issues.map((issue) => ({ pointer: jsonPointer(issue.path), detail: issue.message }));
  throw new Refusal('BODY_INVALID', `Version ${version} does not fit the present rules and cannot be restored.`, { errors });
}
