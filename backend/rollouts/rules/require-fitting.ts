import type { FieldError } from '@repoless/contract/errors.ts';
import { jsonPointer } from '@repoless/contract/errors.ts';
import { pointerSegments } from '@repoless/contract/rollout.ts';
import type { Edit, EditedPart } from '@repoless/contract/rollout.ts';
import { SiteInput } from '@repoless/contract/site.ts';
import { Refusal } from '../../domain/errors.ts';
import { problemsOf } from '../../domain/field-errors.ts';

/**
 * Refuses with BODY_INVALID an edit whose value fits no site, before any is looked at. What depends on the rest of a part, or on variables,
 * is found out at each site.
 */
export function requireFitting(edits: readonly Edit[]): void {
  const errors = edits.flatMap((edit, index) => misfits(edit).map((error) => ({ ...error, pointer: `/edits/${index}${error.pointer}` })));
  const [first] = errors;
  if (first !== undefined) throw new Refusal('BODY_INVALID', `${first.pointer}: ${first.detail}`, { errors });
}

function misfits(edit: Edit): FieldError[] {
  if (edit.op === 'remove' || /\{[A-Za-z]+\}/.test(`${edit.path}${JSON.stringify(edit.value)}`)) return [];
  const [part = '', ...below] = pointerSegments(edit.path);
  const value = edit.op === 'add' ? [edit.value] : edit.value;
  const alone = below.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value);
  // Safe: the contract lets no other parts be edited.
  const problems = problemsOf(SiteInput.shape[part as EditedPart], alone);
  const place = edit.op === 'add' ? [...below, 0] : below;
  return problems.flatMap(({ pointer, detail }) => {
    const at = pointerSegments(pointer);
    // What is amiss above the place may be in order together with what a site has there.
    return at.length < below.length ? [] : [{ pointer: `/value${jsonPointer(at.slice(place.length))}`, detail }];
  });
}
