/**
 * Copies the shared parameters and responses of an OpenAPI document (plain JSON) into each operation. Throws on a reference
 * that cannot be resolved.
 */
export function expandReferences(document: unknown): unknown {
  const components: unknown = Object(document).components;
  return JSON.parse(JSON.stringify(document), (_, value: unknown) => {
    const [reference, kind = '', name = ''] = /^#\/components\/(parameters|responses)\/(.+)$/.exec(String(Object(value).$ref)) ?? [];
    if (reference === undefined) return value;
    const part: unknown = Object(Object(components)[kind])[name];
    if (part === undefined) throw new Error(`The document has no ${reference}.`);
    return structuredClone(part);
  });
}
