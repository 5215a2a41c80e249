import { visibleTo } from './access-control.ts';
import { appliedTo } from './applied-to.ts';
import type { ContentStore, WritableTree } from './content-store.ts';
import { copyOrMove } from './copy-or-move.ts';
import { importContent } from './import-content.ts';
import { modifyResource } from './modify-resource.ts';
import { conflicting, failed, invalidPayload } from './sling-answer.ts';
import type { SlingOutcome } from './sling-answer.ts';
import { FormProblem } from './sling-form.ts';
import { isRefused, isReplaceable } from './writer.ts';
import type { Writer } from './writer.ts';

/** A Sling POST on one path: its `:operation`, or else properties are set and removed. All of it, or nothing. */
export function writeResource(store: ContentStore, environment: string, path: string, form: URLSearchParams, writer: Writer): SlingOutcome {
  const operation = form.get(':operation') ?? '';
  try {
    return store.change(environment, (tree) => operate(tree, operation, path, form, writer));
  } catch (cause) {
    if (!(cause instanceof FormProblem)) throw cause;
    return outcomeOf(cause, path);
  }
}

/** `checkin`, `checkout` and `restore` are not here: nobody uses them. */
function operate(tree: WritableTree, operation: string, path: string, form: URLSearchParams, writer: Writer): SlingOutcome {
  switch (operation) {
    case '':
    case 'modify':
      return modifyResource(tree, path, form, writer);
    case 'delete':
      return remove(tree, path, form, writer);
    case 'copy':
    case 'move':
      return copyOrMove(tree, operation, path, form, writer);
    case 'import':
      return importContent(tree, path, form, writer);
    case 'nop':
      return { status: 200, message: 'Null Operation Status: 200' };
    default:
      return { status: 500, message: 'Invalid operation specified for POST request' };
  }
}

function outcomeOf({ about, message }: FormProblem, path: string): SlingOutcome {
  switch (about) {
    case 'value':
      return invalidPayload(path);
    case 'argument':
      return failed(path, message, 'java.lang.IllegalArgumentException');
    case 'repository':
      return conflicting(path);
    default:
      return about satisfies never;
  }
}

/** What is not there, or not to be seen, is removed already. */
function remove(tree: WritableTree, path: string, form: URLSearchParams, writer: Writer): SlingOutcome {
  const seen = visibleTo(tree, writer.email);
  const paths = appliedTo(seen, path, form) ?? [path];
  for (const one of paths.filter((named) => seen.read(named) !== undefined)) {
    if (!isReplaceable(one) || isRefused(tree, one, writer)) throw new FormProblem('repository', `${one} can’t be removed.`);
    tree.remove(one);
  }
  const changes = paths.map((argument) => ({ type: 'deleted' as const, argument }));
  return { status: 200, message: 'OK', path, title: `Content modified ${path}`, changes };
}
