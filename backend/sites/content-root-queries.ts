import { sql } from 'kysely';
import { type Query, upsert, type WriteQueries } from '../db/queries.ts';
import { Conflicted } from '../db/storage-error.ts';
import type { AuthoringHost, ClaimedRoot, ContentRootReads, ContentRootWrites } from './content-roots.ts';

export function contentRootReads(query: Query): ContentRootReads {
  return {
    async siteWithContentRoot(root) {
      return (await query(sql<{ org: string; site: string }>`select org, site from sites where content_root = ${root}`))[0];
    },
    async contentRootsOn(host) {
      // The character after "/" is "0".
      const rows = await query(sql<ClaimedRoot>`select org, site, content_root as "contentRoot" from sites
        where content_root >= ${`${host}/`} and content_root < ${`${host}0`} order by content_root`);
      return [...rows];
    },
    async orgOfAuthoringHost(host) {
      return (await query(sql<{ org: string }>`select org from authoring_hosts where host = ${host}`))[0]?.org;
    },
    async authoringHosts() {
      return [...(await query(sql<AuthoringHost>`select host, org from authoring_hosts order by host`))];
    },
  };
}

export function contentRootWrites({ dialect, rows, must }: WriteQueries): ContentRootWrites {
  return {
    async assignHost({ host, org }, released) {
      // Reads the roots on the host once no one can claim another. SQLite has one writer: nothing has to be locked.
      if (dialect === 'postgres') await rows(sql`lock table authoring_hosts in exclusive mode`);
      const seen = new Set(released.map(({ org: of, site, contentRoot }) => `${of}/${site} ${contentRoot}`));
      const others = (await contentRootReads(rows).contentRootsOn(host)).filter((root) => root.org !== org);
      if (others.length !== seen.size || !others.every((root) => seen.has(`${root.org}/${root.site} ${root.contentRoot}`)))
        throw new Conflicted();
      await must(upsert('authoring_hosts', 'host', { host, org }));
    },
    async releaseHost(host) {
      await must(sql`delete from authoring_hosts where host = ${host}`);
    },
    async releaseContentRoot({ org, site, contentRoot }) {
      await must(sql`update sites set content_root = null where org = ${org} and site = ${site} and content_root = ${contentRoot}`);
    },
  };
}
