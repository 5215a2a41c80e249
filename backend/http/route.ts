/**
 * The path of a row as Express 5 writes it: `{name}` becomes `:name`, `{name*}` the rest of the path.
 * In: `/config/{org}/sites/{site}.json`. Out: `/config/:org/sites/:site.json`.
 */
export function expressPath(path: string): string {
  return path.replaceAll(/\{(\w+)(\*?)\}/g, (_, name: string, rest: string) => (rest === '' ? `:${name}` : `*${name}`));
}

/** The parameters that Express found: the segments of a rest are put together again. */
export function joinParams(found: Readonly<Record<string, string | string[]>>): Record<string, string> {
  return Object.fromEntries(Object.entries(found).map(([name, value]) => [name, typeof value === 'string' ? value : value.join('/')]));
}
