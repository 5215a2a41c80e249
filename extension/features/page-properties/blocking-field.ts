import type { BlockReason, StepState } from '@repoless/core/plan/plan.ts';
import type { ChoiceField } from './choice-problems.ts';

/** A field of “New settings” that somebody can be led to. */
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

/** The field where what blocks a step is mended; undefined where no field does. */
export function blockingField({ reason, data }: Extract<StepState, { kind: 'blocked' }>): ShownField | undefined {
  if (reason === 'sync-failed' && data['problem'] === 'secret-refused') return 'secret';
  return reason === 'name-invalid' && data['kind'] === 'organization' ? 'organization' : FIELDS[reason];
}

/** The identifier of a field's input in the document. */
export function fieldId(field: ShownField): string {
  return `rp-field-${field}`;
}

/** Leads to a field: unfolds what hides it, brings it into view and gives it the focus. */
export function showField(field: ShownField): void {
  const input = document.getElementById(fieldId(field));
  for (let fold = input?.closest('details'); fold instanceof HTMLDetailsElement; fold = fold.parentElement?.closest('details'))
    fold.open = true;
  input?.scrollIntoView({ block: 'center' });
  input?.focus({ preventScroll: true });
}
