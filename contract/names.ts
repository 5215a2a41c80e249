import { z } from 'zod';

/** A DNS label holds at most this many characters; `{ref}--{site}--{org}` is one label. */
export const HOST_LABEL_LIMIT = 63;
/** The prefix of internationalized labels (RFC 5890, section 2.3.2.1); a branch named `xn` would produce one. */
const ENCODED = 'xn--';

const NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const NAME_RULE = 'lowercase letters, digits and single hyphens between them';

/** Organization name: the code-host organization (docs/contract.md 2.10). */
export const OrgName = name('organization');
export type OrgName = z.infer<typeof OrgName>;

/** Name of a site, unique in its organization. */
export const SiteName = name('site');
export type SiteName = z.infer<typeof SiteName>;

/** A branch as it appears in a host name or path: sanitized, `main` by default. */
export const Ref = name('branch');
export type Ref = z.infer<typeof Ref>;

export const DEFAULT_REF = 'main';

/** The name of a profile, as in the published schema (docs/design-facts.md 4.2). */
export const ProfileName = z
  .string()
  .regex(/^[0-9a-zA-Z-_]+$/, 'A profile name holds letters, digits, "-" and "_".')
  .max(63, 'A profile name has at most 63 characters.');

/**
 * Turns any branch name into a `Ref` for host names, as the public service does: lower-cased, accents removed, every run of other
 * characters replaced with one hyphen (docs/contract.md 5.5). Returns `''` if nothing usable is left.
 */
export function sanitizeRef(branch: string): string {
  return branch
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
}

/** The host label `{ref}--{site}--{org}`; its length is not checked here (see `hostLabelProblem`). */
export function hostLabel(ref: string, site: string, org: string): string {
  return `${ref}--${site}--${org}`;
}

/** A sentence on why the host label does not fit into DNS, or undefined if it does. */
export function hostLabelProblem(ref: string, site: string, org: string): string | undefined {
  const label = hostLabel(ref, site, org);
  if (label.startsWith(ENCODED)) {
    return `The host name label "${label}" begins with "${ENCODED}", which DNS reserves for names in other scripts. Give the branch another name.`;
  }
  if (label.length <= HOST_LABEL_LIMIT) return undefined;
  const over = label.length - HOST_LABEL_LIMIT;
  const shorten = ref === DEFAULT_REF ? 'the site name' : 'the name of the branch';
  return `The host name label "${label}" has ${label.length} characters; DNS allows ${HOST_LABEL_LIMIT}. Shorten ${shorten} by ${over}.`;
}

/** The valid name nearest to a text; a site name is shortened to fit the DNS label of its organization. `''` if nothing usable is left. */
export function nearestName(text: string, organization?: string): string {
  const name = sanitizeRef(text);
  const available = organization === undefined ? name.length : HOST_LABEL_LIMIT - hostLabel(DEFAULT_REF, '', organization).length;
  return name.slice(0, Math.max(available, 0)).replace(/-+$/, '');
}

/** A sentence on why a text is not a valid name, or undefined if it is. */
export function nameProblem(kind: 'organization' | 'site' | 'branch', value: string): string | undefined {
  if (NAME.test(value)) return undefined;
  if (value === '') return `The ${kind} name is empty.`;
  if (kind === 'branch') return branchProblem(value);
  if (NAME.test(value.toLowerCase())) return `The ${kind} name "${value}" has uppercase letters; write "${value.toLowerCase()}".`;
  return `The ${kind} name "${value}" may hold only ${NAME_RULE}.`;
}

/**
 * A sentence if a text still contains a placeholder from a manual, such as `<EMAIL>`; undefined otherwise. `instead` is what
 * to write: `the e-mail address`.
 */
export function placeholderProblem(text: unknown, instead: string): string | undefined {
  const found = typeof text === 'string' ? /<[^<>]*>/.exec(text)?.[0] : undefined;
  return found === undefined ? undefined : `"${found}" is a placeholder. Write ${instead} in its place.`;
}

/** A message about a branch whose name cannot be used unchanged in addresses. */
export function branchProblem(branch: string): string {
  const ref = sanitizeRef(branch);
  if (ref === '') return `The branch "${branch}" cannot have a host name: its name has no letter from a to z and no digit.`;
  return `In addresses, the branch "${branch}" is written "${ref}".`;
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
