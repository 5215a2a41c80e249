/** A property of the content tree as Sling's JSON shows it. */
export type Value = string | number | boolean | readonly (string | number | boolean)[];
export type Properties = Readonly<Record<string, Value>>;

/** A node of the content tree: its absolute path (with `jcr:content`, never `_jcr_content`) and its own properties. */
export interface Resource {
  readonly path: string;
  readonly properties: Properties;
}

/** A resource of one environment, e.g. `p100-e200`. */
export interface PlantedResource extends Resource {
  readonly environment: string;
}

export function parentOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf('/'), 0)) || '/';
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** A property as text; undefined where it is absent or has several values. */
export function textOf(properties: Properties, name: string): string | undefined {
  const value = properties[name];
  return value === undefined || typeof value === 'object' ? undefined : String(value);
}
