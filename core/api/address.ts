/**
 * Builds an address from a path of the table, e.g. `/config/{org}.json`, with parameters by name (`{path*}` keeps its slashes) and a query by name
 * (undefined values are omitted). Returns path and query, encoded.
 */
export function printAddress(template: string, params: unknown, query?: unknown): string {
  const values = new Map(entries(params));
  const path = template.replaceAll(/\{([a-z]+)(\*?)\}/gi, (_whole, name: string, rest: string) => {
    const value = values.get(name) ?? '';
    if (rest === '') return encodeURIComponent(value);
    return value.split('/').map(encodeURIComponent).join('/').replace(/^\//, '');
  });
  const search = new URLSearchParams(entries(query)).toString();
  return search === '' ? path : `${path}?${search}`;
}

/** Adds `name=value` to the query of a path. */
export function withQuery(path: string, name: string, value: string): string {
  return `${path}${path.includes('?') ? '&' : '?'}${name}=${encodeURIComponent(value)}`;
}

function entries(values: unknown): [string, string][] {
  if (typeof values !== 'object' || values === null) return [];
  return Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)] satisfies [string, string]]));
}
