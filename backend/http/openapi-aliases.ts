import { aliasesOf } from '@repoless/contract/aliases.ts';
import type { JsonSchema } from './openapi-schemas.ts';

type Item = Readonly<Record<string, JsonSchema>>;

/**
 * The newer addresses of the calls. In: the described paths. Out: path items with operations of their own (`x-alias-of` names
 * the call); where an address lacks a parameter of the path, its query has it.
 */
export function aliasPaths(paths: Readonly<Record<string, Item>>): Record<string, Item> {
  const aliases: Record<string, Item> = {};
  for (const [path, item] of Object.entries(paths)) {
    for (const [index, alias] of aliasesOf(path).entries()) {
      if (alias.path in paths) continue;
      const suffix = index === 0 ? 'Alias' : `Alias${index + 1}`;
      aliases[alias.path] = moved(item, namesIn(alias.path), { defaults: alias.defaults ?? {}, suffix });
    }
  }
  return aliases;
}

interface Moving {
  readonly defaults: Readonly<Record<string, string>>;
  /** What the identifier of an operation gets behind it. */
  readonly suffix: string;
}

function moved(item: Item, inPath: ReadonlySet<string>, { defaults, suffix }: Moving): Item {
  return Object.fromEntries(
    Object.entries(item).map(([method, operation]) => {
      const known = listOf(operation['parameters']).filter((one) => one['in'] !== 'query' || !inPath.has(String(one['name'])));
      const kept = known.map((parameter) => {
        const name = String(parameter['name']);
        if (parameter['in'] !== 'path' || inPath.has(name)) return parameter;
        return {
          ...parameter,
          in: 'query',
          required: false,
          ...(defaults[name] !== undefined && { description: `else ${defaults[name]}` }),
        };
      });
      const more = [...inPath]
        .filter((name) => !known.some((parameter) => parameter['name'] === name))
        .map((name) => ({ name, in: 'path', required: true, description: 'not looked at', schema: { type: 'string' } }));
      const id = String(operation['operationId']);
      return [method, { ...operation, operationId: `${id}${suffix}`, 'x-alias-of': id, parameters: [...kept, ...more] }];
    }),
  );
}

function namesIn(path: string): Set<string> {
  return new Set([...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name));
}

function listOf(value: unknown): JsonSchema[] {
  return Array.isArray(value) ? value.map((one: unknown) => Object(one)) : [];
}
