import { at, isObject, without } from '../history/json-place.ts';
import { emptyValue } from './form-node.ts';
import type { FormNode } from './form-node.ts';

/** An object with another value of a member; undefined takes it out. An object that does not have to be there goes with its last value. */
export function withMember(value: unknown, name: string, next: unknown, isRequired: boolean): unknown {
  const members = Object.entries({ ...(isObject(value) ? value : {}), [name]: next }).filter(([, one]) => one !== undefined);
  const isEmpty = members.every(([, one]) => one === '');
  return isEmpty && !isRequired ? undefined : Object.fromEntries(members);
}

/** Entries with another name of one of them, in the same order. */
export function renamed(entries: readonly (readonly [string, unknown])[], from: string, to: string): Readonly<Record<string, unknown>> {
  return Object.fromEntries(entries.map(([name, value]) => [name === from ? to : name, value]));
}

/** A value as another variant: with what both have, what is stored of that variant, and what it requires besides, empty. */
export function asVariant(
  node: Extract<FormNode, { kind: 'variants' }>,
  type: string | undefined,
  value: unknown,
  stored: unknown,
): unknown {
  const variant = node.variants.find(({ name }) => name === type);
  if (variant === undefined) return value;
  const base = isObject(stored) && at(stored, node.by) === type ? stored : {};
  const known = { ...base, ...(isObject(without(value, node.by)) ? withoutEmpty(without(value, node.by)) : {}) };
  const members = variant.node.fields.flatMap(({ name, isRequired, node: inner }) => {
    const kept = at(known, name);
    return kept !== undefined ? [[name, kept] as const] : isRequired ? [[name, emptyValue(inner)] as const] : [];
  });
  const next = { ...(type === undefined ? {} : { [node.by]: type }), ...Object.fromEntries(members) };
  return Object.values(next).every((one) => one === '') ? undefined : next;
}

function withoutEmpty(value: unknown): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(isObject(value) ? value : {}).filter(([, one]) => one !== ''));
}
