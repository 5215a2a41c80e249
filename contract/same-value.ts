/** Whether two values of JSON say the same: the order of keys is no difference, nor is a key without a value. */
export function sameValue(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const keys = presentKeys(one);
  return keys.length === presentKeys(other).length && keys.every((key) => sameValue(Reflect.get(one, key), Reflect.get(other, key)));
}

function presentKeys(value: object): string[] {
  return Object.keys(value).filter((key) => Reflect.get(value, key) !== undefined);
}
