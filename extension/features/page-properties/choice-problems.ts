import { valueProblem } from '@repoless/core/messages/explain-failure.ts';
import { Member } from '@repoless/contract/access.ts';
import { GithubSource } from '@repoless/contract/code-source.ts';
import { CONFIGURATION_PATH, Mappings, PathPrefix } from '@repoless/contract/mappings.ts';
import { DEFAULT_REF, hostLabelProblem, OrgName, SiteName } from '@repoless/contract/names.ts';
import type { Messages } from '@repoless/core/messages/language.ts';
import type { StepState } from '@repoless/core/plan/plan.ts';
import type { BlockReason } from '@repoless/core/situation/call.ts';
import type { Choices } from '@repoless/core/situation/situation.ts';
import { type CodeChoice, repositoryKey } from '@repoless/core/situation/code-choice.ts';
import type { z } from 'zod';

/** The fields in display order. */
export const CHOICE_FIELDS = [
  'organization',
  'siteName',
  'configurationPage',
  'codeOwner',
  'codeRepo',
  'administrators',
  'technicalAccount',
] as const;
export type ChoiceField = (typeof CHOICE_FIELDS)[number];

/** The errors of the choices, by field, in the service's words: from the contract's own schemas. */
export function choiceProblems(messages: Messages, choices: Choices): Partial<Record<ChoiceField, string>> {
  const { organization, siteName, code } = choices;
  const found: readonly (readonly [ChoiceField, string | undefined])[] = [
    ['organization', organization === '' ? messages.choices.organizationMissing : firstIssue(messages, OrgName, organization)],
    ['siteName', firstIssue(messages, SiteName, siteName) ?? labelProblem(messages, siteName, organization)],
    ['configurationPage', pageProblem(messages, choices)],
    ['codeOwner', firstIssue(messages, GithubSource.shape.owner.unwrap(), code.owner)],
    ['codeRepo', firstIssue(messages, GithubSource.shape.repo.unwrap(), code.repo)],
    ['administrators', choices.administrators.length === 0 ? messages.choices.administratorsMissing : undefined],
    ['technicalAccount', accountProblem(messages, choices.technicalAccount)],
  ];
  return Object.fromEntries(found.filter(([, problem]) => problem !== undefined));
}

export function administratorProblem(messages: Messages, administrators: readonly string[], name: string): string | undefined {
  if (administrators.some((other) => other.toLowerCase() === name.toLowerCase())) return messages.choices.administratorListed({ name });
  return firstIssue(messages, Member, name);
}

export function withConfigurationPage(choices: Choices, configurationPage: string): Choices {
  const others = choices.mappings.filter((mapping) => !mapping.endsWith(`:${CONFIGURATION_PATH}`));
  return { ...choices, configurationPage, mappings: [...others, `${configurationPage}:${CONFIGURATION_PATH}`] };
}

export function withCode(choices: Choices, change: Partial<Pick<CodeChoice, 'owner' | 'repo'>>): Choices {
  return { ...choices, code: { ...choices.code, ...change } };
}

/** Whether two choices require the same reads from the service and the authoring system. */
export function sameTarget(a: Choices, b: Choices): boolean {
  const sameSite = a.organization === b.organization && a.siteName === b.siteName && a.configurationPage === b.configurationPage;
  return sameSite && repositoryKey(a.code) === repositoryKey(b.code);
}

function pageProblem(messages: Messages, { configurationPage, mappings }: Choices): string | undefined {
  if (!/^\/content\/[^/]/.test(configurationPage)) return messages.choices.pathMissing;
  return firstIssue(messages, PathPrefix, configurationPage) ?? firstIssue(messages, Mappings, mappings);
}

function accountProblem(messages: Messages, account: string): string | undefined {
  return account === '' ? messages.choices.technicalAccountMissing : firstIssue(messages, Member, account);
}

/** The error of a site's future host name. */
export function labelProblem(messages: Messages, siteName: string, organization: string): string | undefined {
  const detail = hostLabelProblem(DEFAULT_REF, siteName, organization);
  return detail === undefined ? undefined : valueProblem(messages, { detail });
}

/** The first error of a value by the contract's own schema, in the reader's language. */
export function firstIssue(messages: Messages, schema: z.ZodType, value: unknown): string | undefined {
  const detail = schema.safeParse(value).error?.issues[0]?.message;
  return detail === undefined ? undefined : valueProblem(messages, { detail });
}

/** A field of “Settings” that can be linked to. */
export type ShownField = ChoiceField | 'secret';

const FIELDS: Record<BlockReason, ShownField | undefined> = {
  'not-signed-in': undefined,
  'answer-unread': undefined,
  'organization-missing': 'organization',
  'organization-not-claimed': undefined,
  'not-administrator': undefined,
  'name-invalid': 'siteName',
  'host-label-too-long': 'siteName',
  'mapping-invalid': 'configurationPage',
  'technical-account-missing': 'technicalAccount',
  'content-root-taken': 'siteName',
  'base-of-sites': undefined,
  'secret-of-sites': undefined,
  'sites-unlisted': undefined,
  'version-missing': undefined,
  'secret-missing': 'secret',
  'secret-invalid': 'secret',
  'inherited-configuration': undefined,
  'cloud-configuration-missing': undefined,
  'cloud-configuration-taken': undefined,
  'configuration-page-type': 'configurationPage',
  'repository-missing': 'codeRepo',
  'repository-private': 'codeRepo',
  'repository-not-ready': undefined,
  'branch-missing': undefined,
  'code-host-unreachable': undefined,
  'sync-failed': undefined,
  'sync-slow': undefined,
  'sync-stopped': undefined,
  'editor-files-missing': undefined,
  'editor-files-not-served': undefined,
  'host-guarded': undefined,
  'configuration-not-served': undefined,
  'content-missing': undefined,
  'content-refused': undefined,
  'content-unreachable': undefined,
  'technical-account-mismatch': 'technicalAccount',
  'technical-account-unlisted': undefined,
  'not-checkable': undefined,
  refused: undefined,
  'service-unreachable': undefined,
  'authoring-unreachable': undefined,
  'earlier-step': undefined,
};

/** The field that fixes what blocks a step; undefined if there is none. */
export function blockingField({ reason, data }: Extract<StepState, { kind: 'blocked' }>): ShownField | undefined {
  if (reason === 'sync-failed' && data['problem'] === 'secret-refused') return 'secret';
  return reason === 'name-invalid' && data['kind'] === 'organization' ? 'organization' : FIELDS[reason];
}

export function fieldId(field: ShownField): string {
  return `rp-field-${field}`;
}

/** Shows a field: expands its containers, scrolls it into view and focuses it. */
export function showField(field: ShownField): void {
  const input = document.getElementById(fieldId(field));
  for (let fold = input?.closest('details'); fold instanceof HTMLDetailsElement; fold = fold.parentElement?.closest('details'))
    fold.open = true;
  input?.scrollIntoView({ block: 'center' });
  input?.focus({ preventScroll: true });
}
