import { keepsOrder } from './same-value.ts';

/** Whether the keys that two objects share are in a different order, for objects whose order matters. */
export function isReordered(one: unknown, other: unknown): boolean {
  if (!isObject(one) || !isObject(other) || !(keepsOrder(one) || keepsOrder(other))) return false;
  const shared = Object.keys(other).filter((key) => Object.hasOwn(one, key));
  return Object.keys(one)
    .filter((key) => Object.hasOwn(other, key))
    .some((key, index) => key !== shared[index]);
}

/** The value with all keys in alphabetical order, also where their order counts. */
export function inAnyOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inAnyOrder);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([key, item]): [string, unknown] => [key, inAnyOrder(item)]);
  return Object.fromEntries(entries.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
