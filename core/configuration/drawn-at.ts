import { at, isObject, pointerTo } from '../history/json-place.ts';
import type { ConfigurationDraft } from './configuration-kind.ts';
import { variantOf } from './form-node.ts';
import type { FormNode } from './form-node.ts';
import { FORMS, SECTIONS } from './sections.ts';

/**
 * The field that shows an error at a place (RFC 6901): the place itself, or the nearest visible one around it. Undefined if the place is in no
 * part with a form.
 */
export function drawnAt(draft: ConfigurationDraft, pointer: string): string | undefined {
  const [name, ...keys] = keysOfPointer(pointer);
  const section = SECTIONS.find((one) => one === name);
  if (section === undefined) return undefined;
  const place: string[] = [section];
  let node: FormNode | undefined = FORMS[section];
  let value: unknown = draft[section];
  for (const key of keys) {
    node = childOf(node, value, key);
    if (node === undefined) break;
    value = Array.isArray(value) ? (value[Number(key)] as unknown) : at(value, key);
    place.push(key);
  }
  return pointerTo(...place);
}

function childOf(node: FormNode, value: unknown, key: string): FormNode | undefined {
  switch (node.kind) {
    case 'list':
      return Array.isArray(value) && Number(key) < value.length ? node.item : undefined;
    case 'record':
      return isObject(value) && Object.hasOwn(value, key) ? node.value : undefined;
    case 'object':
      return node.fields.find(({ name }) => name === key)?.node;
    case 'variants': {
      if (key === node.by) return { kind: 'text' };
      const variant = variantOf(node, at(value, node.by));
      return variant === undefined ? undefined : childOf(variant.node, value, key);
    }
    case 'text':
    case 'number':
    case 'switch':
    case 'choice':
    case 'choices':
    case 'json':
      return undefined;
    default:
      return node satisfies never;
  }
}

function keysOfPointer(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
}
