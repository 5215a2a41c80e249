import { type Asked, isWrite } from './asked.ts';

/** Requests that look like a dry run or have a condition: this service writes nevertheless. */
export function violationOf({ method, query, headers, path }: Asked): string | undefined {
  if (!isWrite(method)) return undefined;
  const parameter = ['dryRun', 'confirm'].find((name) => query.has(name));
  const header = ['x-dry-run', 'if-match', 'if-none-match', 'if-unmodified-since'].find((name) => headers[name] !== undefined);
  const found = parameter ?? header;
  return found === undefined ? undefined : `${method} ${path} carries ${found}, which the hosted service ignores: it would have written.`;
}

/** Remembers creations whose answer did not reach the client: repeating the request creates a second entry. */
export function unansweredCreations() {
  const known = new Set<string>();
  const keyOf = ({ method, headers, body }: Asked, path: string): string | undefined =>
    method === 'POST' && /\/(?:users|secrets|tokens|apiKeys)\.json$/.test(path)
      ? [path, headers['x-auth-token'] ?? headers.authorization, body.toString()].join(' ')
      : undefined;
  return {
    add(asked: Asked, path: string): void {
      const key = keyOf(asked, path);
      if (key !== undefined) known.add(key);
    },
    repeated(asked: Asked, path: string): string | undefined {
      const key = keyOf(asked, path);
      return key !== undefined && known.has(key)
        ? `POST ${path} was repeated, though the first one may have created something.`
        : undefined;
    },
  };
}
