import { aliasesOf } from '@repoless/contract/aliases.ts';
import { allEndpoints } from '@repoless/contract/endpoints.ts';

/** The other addresses of a read, with what they say in their query. In: its address. Out: none where it is another's already. */
export function otherAddresses(address: string): string[] {
  const [path = '', query = ''] = address.split('?');
  const read = READS.find(({ form }) => form.test(path));
  if (read === undefined) return [];
  const values: Readonly<Record<string, string>> = read.form.exec(path)?.groups ?? {};
  return aliasesOf(read.path).flatMap((alias) => {
    const names = namesIn(alias.path);
    // Those that nobody looks at have no value here.
    if (names.some((name) => values[name] === undefined)) return [];
    const left = Object.entries(values).filter(([name]) => !names.includes(name) && name !== 'path');
    if (values['path'] !== undefined && !names.includes('path')) return [];
    const asked = [query, ...left.map(([name, value]) => `${name}=${value}`)].filter((part) => part !== '');
    const other = alias.path.replaceAll(NAME, (_, name: string) => values[name] ?? '');
    return [asked.length === 0 ? other : `${other}?${asked.join('&')}`];
  });
}

const NAME = /\{(\w+)\*?\}/g;

const READS = allEndpoints().flatMap(([, { method, path }]) => (method === 'GET' ? [{ path, form: formOf(path) }] : []));

function namesIn(path: string): string[] {
  return [...path.matchAll(NAME)].map(([, name = '']) => name);
}

function formOf(path: string): RegExp {
  const parts = path.split(/(\{\w+\*?\})/).map((part) => {
    if (!part.startsWith('{')) return part.replaceAll('.', String.raw`\.`);
    return part.endsWith('*}') ? `(?<${part.slice(1, -2)}>.+)` : `(?<${part.slice(1, -1)}>[^/]+?)`;
  });
  return new RegExp(`^${parts.join('')}$`);
}
