/** A function of a document that is called once for each: documents do not change. What it answered goes with the document. */
export function oncePerDocument<D extends object, T>(make: (document: D) => T): (document: D) => T {
  const made = new WeakMap<D, { readonly value: T }>();
  return (document) => {
    const known = made.get(document);
    if (known !== undefined) return known.value;
    const value = make(document);
    made.set(document, { value });
    return value;
  };
}
