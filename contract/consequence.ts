import { z } from 'zod';
import { RoleName } from './access.ts';
import { SiteName } from './names.ts';

const role = { role: RoleName };
const account = { account: z.string() };
const entry = { entry: z.string() };
/** List entries: addresses, or `*` and `*@domain` for many. */
const people = { people: z.array(z.string()).min(1) };
const host = { host: z.enum(['preview', 'live']) };
/** The group through which the entry is in a list. */
const through = { through: z.string().optional() };

/** What a configuration, or a change to it, does to people and visitors: codes and values from which each language builds a sentence. */
export const Consequence = z.discriminatedUnion('kind', [
  /**
   * The caller loses administration of the site; the site has no administrators of its own left; everyone can read its
   * configuration without signing in.
   */
  z.object({ kind: z.enum(['yourself', 'no-administrator', 'open']) }),
  /** `*`, or everyone in a domain, in a list of people who may change the configuration. */
  z.object({ kind: z.literal('everyone'), ...role, ...through }),
  z.object({ kind: z.literal('domain'), ...role, domain: z.string(), ...through }),
  /** Publishing stops, or does not work, without the technical account. */
  z.object({ kind: z.enum(['account-removed', 'account-missing']), ...account }),
  z.object({ kind: z.literal('other-environment'), ...account, environment: z.string(), own: z.string(), belongsTo: z.string() }),
  z.object({ kind: z.enum(['unknown-group', 'group-removed']), ...entry }),
  z.object({ kind: z.enum(['people-lost', 'people-gained']), ...role, ...people }),
  /** A host no longer requires signing in, or now does; people lose read access to it. */
  z.object({ kind: z.enum(['host-open', 'host-closed']), ...host }),
  z.object({ kind: z.literal('readers-lost'), ...host, ...people }),
  /** The site is removed, and its hosts stop answering; nothing is mapped or included any more; different content is shown. */
  z.object({ kind: z.enum(['stops', 'pages-lost', 'content-replaced']) }),
  z.object({ kind: z.literal('code-replaced'), repository: z.string() }),
]);
export type Consequence = z.infer<typeof Consequence>;

export const ConsequenceOfSites = z.object({
  what: Consequence,
  /** Something stops working, or people gain or lose something that others have to restore: confirm it first. */
  grave: z.boolean(),
  /** Empty: the subject of the call. */
  sites: z.array(SiteName),
});
export type ConsequenceOfSites = z.infer<typeof ConsequenceOfSites>;
