import type { StepState } from '@repoless/core/plan/plan.ts';
import { createPatch } from 'rfc6902';
import { printJson } from '../../ui/CopyButton.tsx';

/** A step that changes what is there. */
export type ChangeState = Extract<StepState, { kind: 'change' }>;

/** One changed place: where (a JSON pointer), what was there, what will be. Absent means nothing. */
interface Change {
  readonly where: string;
  readonly before?: string;
  readonly after?: string;
}

/** The changes of a step, one for each place that a patch from the one value to the other touches. */
export function changesOf({ before, after }: ChangeState): Change[] {
  return createPatch(before, after)
    .filter((operation) => operation.op !== 'test')
    .map((operation) => {
      const old = operation.op === 'add' ? undefined : valueAt(before, operation.path);
      const next: unknown = 'value' in operation ? operation.value : undefined;
      return {
        where: operation.path,
        ...(old === undefined ? {} : { before: print(old) }),
        ...(next === undefined ? {} : { after: print(next) }),
      };
    });
}

function valueAt(value: unknown, pointer: string): unknown {
  let found = value;
  for (const key of pointer.split('/').slice(1)) {
    if (typeof found !== 'object' || found === null) return undefined;
    found = new Map(Object.entries(found)).get(key.replaceAll('~1', '/').replaceAll('~0', '~'));
  }
  return found;
}

function print(value: unknown): string {
  return typeof value === 'string' ? value : printJson(value);
}
