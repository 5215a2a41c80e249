/** Whether two values of JSON say the same: the order of keys is no difference but where it counts, nor is a key without a value. */
export function sameValue(one: unknown, other: unknown): boolean {
  return saysSame(one, other, inSameOrder);
}

/** The same where the order of keys counts nowhere. */
export function sameInAnyOrder(one: unknown, other: unknown): boolean {
  return saysSame(one, other, () => true);
}

/**
 * Whether the order of an object's keys counts: `headers` are lists of keys and values by path patterns, of which a later one wins. An
 * object is known by its form, so that a part, a value of an edit and a whole document are all treated alike.
 */
export function keepsOrder(value: object): boolean {
  if (Array.isArray(value)) return false;
  let count = 0;
  for (const name in value) {
    if (!isKeyValueList(Reflect.get(value, name))) return false;
    count += 1;
  }
  return count > 1;
}

/** Whether the keys that two objects share stand in another order, where that counts. */
export function isReordered(one: unknown, other: unknown): boolean {
  if (!isObject(one) || !isObject(other) || !(keepsOrder(one) || keepsOrder(other))) return false;
  const shared = presentKeys(other).filter((key) => Object.hasOwn(one, key));
  return presentKeys(one)
    .filter((key) => Object.hasOwn(other, key))
    .some((key, index) => key !== shared[index]);
}

function saysSame(one: unknown, other: unknown, isOrdered: (one: object, keys: readonly string[], others: readonly string[]) => boolean): boolean {
  if (one === other) return true;
  if (!isObject(one) || !isObject(other)) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const keys = presentKeys(one);
  const others = presentKeys(other);
  if (keys.length !== others.length) return false;
  return keys.every((key) => saysSame(Reflect.get(one, key), Reflect.get(other, key), isOrdered)) && isOrdered(one, keys, others);
}

function inSameOrder(one: object, keys: readonly string[], others: readonly string[]): boolean {
  return !keepsOrder(one) || keys.every((key, index) => key === others[index]);
}

function isKeyValueList(value: unknown): boolean {
  return Array.isArray(value) && value.every((item: unknown) => isObject(item) && typeof Reflect.get(item, 'key') === 'string');
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function presentKeys(value: object): string[] {
  return Object.keys(value).filter((key) => Reflect.get(value, key) !== undefined);
}
