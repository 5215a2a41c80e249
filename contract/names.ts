import { z } from 'zod';

/** A DNS label holds at most this many characters; `{ref}--{site}--{org}` is one label. */
export const HOST_LABEL_LIMIT = 63;

const NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const NAME_RULE = 'lower-case letters, digits and single hyphens between them';

/** Organization name: the code-host organization (seed design, item 5). */
export const OrgName = name('organization');
export type OrgName = z.infer<typeof OrgName>;

/** Name of a service site, unique in its organization. */
export const SiteName = name('site');
export type SiteName = z.infer<typeof SiteName>;

/** A branch as it appears in a host name or a path: sanitised, `main` by default. */
export const Ref = name('branch');
export type Ref = z.infer<typeof Ref>;

export const DEFAULT_REF = 'main';

/**
 * Makes a branch name fit for host names: lower-cased, every run of other characters becomes one hyphen
 * (service contract, section 4). In: any branch name. Out: a `Ref`, or `''` when nothing usable is left.
 */
export function sanitizeRef(branch: string): string {
  return branch
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
}

/** The host label `{ref}--{site}--{org}`; its length is not checked here (see `hostLabelProblem`). */
export function hostLabel(ref: string, site: string, org: string): string {
  return `${ref}--${site}--${org}`;
}

/** A sentence that says why the host label does not fit into DNS, or undefined when it fits. */
export function hostLabelProblem(ref: string, site: string, org: string): string | undefined {
  const label = hostLabel(ref, site, org);
  if (label.length <= HOST_LABEL_LIMIT) return undefined;
  const over = label.length - HOST_LABEL_LIMIT;
  return `The host name label "${label}" has ${label.length} characters; DNS allows ${HOST_LABEL_LIMIT}. Shorten the site name by ${over}.`;
}

/** A sentence that says why a text is no name, or undefined when it is one. */
export function nameProblem(kind: 'organization' | 'site' | 'branch', value: string): string | undefined {
  if (NAME.test(value)) return undefined;
  if (value === '') return `The ${kind} name is empty.`;
  if (NAME.test(value.toLowerCase())) return `The ${kind} name "${value}" has upper-case letters; write "${value.toLowerCase()}".`;
  return `The ${kind} name "${value}" may hold only ${NAME_RULE}.`;
}

function name(kind: 'organization' | 'site' | 'branch') {
  return z
    .string()
    .superRefine((value, context) => {
      const problem = nameProblem(kind, value);
      if (problem !== undefined) context.addIssue({ code: 'custom', message: problem });
    })
    .meta({ pattern: NAME.source, description: `${kind} name: ${NAME_RULE}` });
}
