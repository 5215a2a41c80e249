import { z } from 'zod';
import { RoleName } from './access.ts';
import { SiteName } from './names.ts';

const role = { role: RoleName };
const account = { account: z.string() };
const entry = { entry: z.string() };
/** List entries: addresses, or `*` and `*@domain` for many. */
const people = { people: z.array(z.string()).min(1) };
const host = { host: z.enum(['preview', 'live']) };
/** The group that brings the entry into a list. */
const through = { through: z.string().optional() };

/** What a configuration, or a change of it, does to people and visitors: codes and values that each language makes a sentence of. */
export const Consequence = z.discriminatedUnion('kind', [
  /** The caller loses the administration; the site has no administrator of its own left; everyone reads its configuration without signing in. */
  z.object({ kind: z.enum(['yourself', 'no-administrator', 'open']) }),
  /** `*`, or everyone of a domain, in a list that may change the configuration. */
  z.object({ kind: z.literal('everyone'), ...role, ...through }),
  z.object({ kind: z.literal('domain'), ...role, domain: z.string(), ...through }),
  /** Publishing stops, or does not work, without the technical account. */
  z.object({ kind: z.enum(['account-removed', 'account-missing']), ...account }),
  z.object({ kind: z.literal('other-environment'), ...account, environment: z.string(), own: z.string(), belongsTo: z.string() }),
  z.object({ kind: z.enum(['unknown-group', 'group-removed']), ...entry }),
  z.object({ kind: z.enum(['people-lost', 'people-gained']), ...role, ...people }),
  /** A host that asks for a sign-in no longer, or asks for one now; people who may read it no longer. */
  z.object({ kind: z.enum(['host-open', 'host-closed']), ...host }),
  z.object({ kind: z.literal('readers-lost'), ...host, ...people }),
  /** The site goes, and its hosts stop answering; nothing is mapped or included any more; other content is shown. */
  z.object({ kind: z.enum(['stops', 'pages-lost', 'content-replaced']) }),
  z.object({ kind: z.literal('code-replaced'), repository: z.string() }),
]);
export type Consequence = z.infer<typeof Consequence>;

/** One consequence and the sites that have it. */
export const ConsequenceOfSites = z.object({
  what: Consequence,
  /** Something stops working, or people gain or lose what others have to restore: confirm it first. */
  grave: z.boolean(),
  /** Empty: what the call is about. */
  sites: z.array(SiteName),
});
export type ConsequenceOfSites = z.infer<typeof ConsequenceOfSites>;
