import { PROXIED_WRITES } from '@repoless/contract/authoring.ts';
import type { FieldError } from '@repoless/contract/errors.ts';
import { jsonPointer } from '@repoless/contract/errors.ts';
import { Refusal } from '../../domain/errors.ts';
import { refuseManyFields } from '../form-body.ts';

/**
 * Checks the fields of a write, because Sling makes of a field's name whatever that name says (copy, move, import …). In:
 * the decoded path and the body as it came. Refuses with BODY_INVALID, each field by its pointer.
 */
export function checkAuthorForm(path: string, body: Uint8Array): void {
  const text = new TextDecoder().decode(body);
  refuseManyFields(text);
  const fields = [...new URLSearchParams(text)].filter(([name]) => !HARMLESS.has(name));
  const problem = path === '/bin/wcmcommand' ? commandProblem : propertyProblem(path, fields);
  const seen = new Map<string, string>();
  const errors: FieldError[] = [];
  for (const [name, value] of fields) {
    const detail = problem(name, value) ?? (seen.has(name) && !name.startsWith('./') ? 'This field is sent twice.' : undefined);
    if (detail !== undefined) errors.push({ pointer: jsonPointer([name]), detail });
    seen.set(name, value);
  }
  if (path === '/bin/wcmcommand') {
    for (const name of Object.keys(COMMAND))
      if (!seen.has(name)) errors.push({ pointer: jsonPointer([name]), detail: 'This field is missing.' });
  } else if (fields.length === 0) errors.push({ pointer: '', detail: 'There is nothing to write.' });
  if (errors.length > 0)
    throw new Refusal('BODY_INVALID', 'The authoring proxy does not forward this write to the authoring system.', { errors });
}

type Problem = (name: string, value: string) => string | undefined;

/** The encoding that is ours anyway, and the parameter by which a CSRF token may come. */
const HARMLESS = new Set(['_charset_', ':cq_csrf_token']);

const NODE_NAME = /^[A-Za-z0-9_-]+$/;
const COMMAND: Readonly<Record<string, (value: string) => boolean>> = {
  cmd: (value) => value === 'createPage',
  parentPath: (value) => /^\/content(\/[A-Za-z0-9_.-]+)*$/.test(value) && !value.split('/').some((segment) => /^\.+$/.test(segment)),
  title: (value) => value.trim() !== '' && value.length <= 200,
  label: (value) => NODE_NAME.test(value),
  template: (value) => /^\/(conf|apps|libs)(\/[A-Za-z0-9_-]+)+$/.test(value),
};

const commandProblem: Problem = (name, value) => {
  const check = Object.hasOwn(COMMAND, name) ? COMMAND[name] : undefined;
  if (check === undefined) return 'Only the fields of createPage are forwarded.';
  return check(value) ? undefined : 'This value is not forwarded: only the creation of a page below /content is.';
};

/** A property of the node itself or of its `jcr:content`, with the two suffixes that set or remove it. */
const PROPERTY = /^\.\/(jcr:content\/)?(?!rep:)([A-Za-z][A-Za-z0-9]*:)?[A-Za-z0-9_][A-Za-z0-9_.-]*(@Delete|@TypeHint)?$/;
/** A configuration page, and an Edge Delivery configuration as a whole: what the panel creates. */
const DELETED = [
  /^\/content(\/[^/]+)+\/configuration$/,
  /^\/conf\/[^/]+(\/[^/]+)*\/settings\/cloudconfigs\/edge-delivery-service-configuration$/,
];

/** Whether a form asks for the deletion of what is at its path. */
export function asksForDeletion(body: Uint8Array): boolean {
  return new URLSearchParams(new TextDecoder().decode(body)).get(':operation') === 'delete';
}

/** Deleting is passed on for these and for sheets alone, and then nothing else: putting back what creating them changed. */
function propertyProblem(path: string, fields: readonly (readonly [string, string])[]): Problem {
  const isWritten = PROXIED_WRITES.some((pattern) => pattern.test(path));
  const deletes = (!isWritten || DELETED.some((pattern) => pattern.test(path))) && fields.length === 1;
  return (name, value) => {
    if (PROPERTY.test(name) && isWritten) return undefined;
    if (name !== ':operation') return 'Only properties (./name, ./name@Delete, ./name@TypeHint) are forwarded.';
    return deletes && value === 'delete'
      ? undefined
      : 'The only operation forwarded is the deletion of a configuration page or an Edge Delivery configuration.';
  };
}
