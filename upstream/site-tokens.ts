import type { SiteTokenInfo } from '@repoless/contract/credentials.ts';
import { difference } from '@repoless/contract/difference.ts';
import { checkPreconditions, Refusal } from '@repoless/contract/refusal.ts';
import type { HostedAddress } from './addresses.ts';
import { type Call, type Operation, read, send, tried } from './call.ts';
import { asMap, etagOf } from './documents.ts';

const site = tokensOf('sitePart');
const profile = tokensOf('profilePart');

/** Existing site tokens of a document. They are deprecated: secrets do the same, so none is created here. */
export const SITE_TOKEN_OPERATIONS: Readonly<Record<string, Operation>> = {
  listSiteTokens: site.list,
  getSiteToken: site.get,
  deleteSiteToken: site.remove,
  listProfileTokens: profile.list,
  getProfileToken: profile.get,
  deleteProfileToken: profile.remove,
};

function tokensOf(address: HostedAddress): Record<'list' | 'get' | 'remove', Operation> {
  const all = async (call: Call): Promise<Readonly<Record<string, SiteTokenInfo>>> => {
    const found = await read(call, address, { ...call.params, part: 'tokens' });
    return Object.fromEntries(Object.entries(asMap(found)).map(([id, { created }]) => [id, { id, ...timeOf(created) }]));
  };
  const one = async (call: Call): Promise<SiteTokenInfo> => {
    const { id = '' } = call.params;
    const found = (await all(call))[id];
    if (found === undefined) throw new Refusal('SITE_TOKEN_NOT_FOUND', `There is no site token "${id}".`, { data: { id } });
    return found;
  };
  const listed = (body: object) => ({ status: 200, body, etag: etagOf(body) });
  return {
    list: async (call) => listed(await all(call)),
    get: async (call) => listed(await one(call)),
    remove: async (call) => {
      const before = await one(call);
      checkPreconditions(call, etagOf(before));
      if (call.isDryRun) return tried({ status: 204, result: null, diff: difference(before, null) });
      await send(call, address, { ...call.params, part: `tokens/${before.id}` }, { method: 'DELETE' });
      return { status: 204 };
    },
  };
}

function timeOf(value: unknown): { readonly created?: string } {
  return typeof value === 'string' && !Number.isNaN(Date.parse(value)) ? { created: new Date(value).toISOString() } : {};
}
