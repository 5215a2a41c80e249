/**
 * An OpenAPI document with the shared parameters and responses written out at each operation, a copy each. In: the document as plain
 * JSON. Throws where it refers to one that it does not hold.
 */
export function writtenOut(document: unknown): unknown {
  const components: unknown = Object(document).components;
  return JSON.parse(JSON.stringify(document), (_, value: unknown) => {
    const [reference, kind = '', name = ''] = /^#\/components\/(parameters|responses)\/(.+)$/.exec(String(Object(value).$ref)) ?? [];
    if (reference === undefined) return value;
    const part: unknown = Object(Object(components)[kind])[name];
    if (part === undefined) throw new Error(`The document has no ${reference}.`);
    return structuredClone(part);
  });
}
