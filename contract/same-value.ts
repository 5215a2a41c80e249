/** Whether two values of JSON say the same: the order of keys is no difference but where it counts, nor is a key without a value. */
export function sameValue(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const [keys, others] = [presentKeys(one), presentKeys(other)];
  if (keys.length !== others.length || (keepsOrder(one) && keys.some((key, index) => key !== others[index]))) return false;
  return keys.every((key) => sameValue(Reflect.get(one, key), Reflect.get(other, key)));
}

/**
 * Whether the order of an object's keys counts: `headers` are lists of keys and values by path patterns, of which a later one wins. An
 * object is known by its form, so that a part, a value of an edit and a whole document are all treated alike.
 */
export function keepsOrder(value: object): boolean {
  const lists: unknown[] = Object.values(value);
  return lists.length > 1 && lists.every((list) => Array.isArray(list) && list.every(hasKey));
}

function hasKey(item: unknown): boolean {
  return typeof Reflect.get(Object(item), 'key') === 'string';
}

function presentKeys(value: object): string[] {
  return Object.keys(value).filter((key) => Reflect.get(value, key) !== undefined);
}
