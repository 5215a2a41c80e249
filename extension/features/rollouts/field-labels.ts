import type { FieldError } from '@repoless/contract/errors.ts';
import type { MessagesOf } from '@repoless/core/messages/language.ts';

type Texts = MessagesOf<'rollouts'>['rollouts'];

/**
 * The same problem with the labels of a rollout's fields in place of their pointers: its sentences name a field as the form does. `edits`:
 * the labels of single edits, where they are shown. Places in a configuration stay pointers.
 */
export function withLabels<P extends { readonly errors?: readonly FieldError[] | undefined }>(
  texts: Texts,
  problem: P,
  edits: readonly string[] = [],
): P {
  const errors = problem.errors?.map((error) => ({ ...error, pointer: labelOf(texts, error.pointer, edits) }));
  return errors === undefined ? problem : { ...problem, errors };
}

function labelOf({ edits: allEdits, form, profile }: Texts, pointer: string, edits: readonly string[]): string {
  const [, field, index] = pointer.split('/');
  switch (field) {
    case 'title':
      return form.name;
    case 'waves':
      return form.waves;
    case 'edits':
      return edits[Number(index)] ?? allEdits;
    case 'config':
      return `${profile.config} ${pointer.slice('/config'.length)}`.trim();
    default:
      return pointer;
  }
}
