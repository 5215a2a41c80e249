import { sql } from 'kysely';
import type { Kysely, Migration } from 'kysely';

interface Root {
  readonly org: string;
  readonly site: string;
  readonly content_root: string;
}

/**
 * Content roots were known by the address as it was written; now every spelling of a host is one. Where two sites turn out to
 * have the same one, the first keeps it: the other goes on as it is, and is refused when its content is set anew.
 */
export const contentRoots: Migration = {
  async up(db: Kysely<unknown>) {
    const { rows } = await sql<Root>`select org, site, content_root from sites where content_root is not null order by org, site`.execute(
      db,
    );
    const taken = new Set<string>();
    for (const { org, site, content_root: before } of rows) {
      const after = withoutSpelling(before);
      const key = after === undefined || taken.has(after) ? null : after;
      if (key !== null) taken.add(key);
      await sql`update sites set content_root = ${key} where org = ${org} and site = ${site}`.execute(db);
    }
  },
};

/** In: `<origin><path>`. Out: `<host><path>`. */
function withoutSpelling(root: string): string | undefined {
  const [, origin = '', path = ''] = /^(https?:\/\/[^/]*)(\/.*)?$/.exec(root) ?? [];
  if (!URL.canParse(origin)) return undefined;
  const { hostname, port } = new URL(origin);
  return `${hostname.replace(/\.$/, '')}${port === '' ? '' : `:${port}`}${readable(path)}`;
}

function readable(path: string): string {
  try {
    return decodeURIComponent(path).replaceAll(/\/{2,}/g, '/');
  } catch {
    return path;
  }
}
