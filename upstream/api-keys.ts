import { RoleName } from '@repoless/contract/access.ts';
import type { ApiKeyInfo, ApiKeyInput } from '@repoless/contract/credentials.ts';
import { difference } from '@repoless/contract/difference.ts';
import { checkPreconditions, Refusal } from '@repoless/contract/refusal.ts';
import { parseJson } from '@repoless/core/api/exchange.ts';
import type { HostedAddress } from './addresses.ts';
import { type Call, generationOf, type Operation, type Outcome, outcomeUnknown, read, send, tried } from './call.ts';
import { change } from './change.ts';
import { urlSafeId } from './credential.ts';
import { type Kind, ORG, PROFILE, SITE } from './document.ts';
import { asMap, etagOf, placed, type Raw, valueAt } from './documents.ts';

const site = keysOf(SITE);
const profile = keysOf(PROFILE);
const org = keysOf(ORG);

/** API keys of the hosted service. Their values are shown once and never stored. */
export const API_KEY_OPERATIONS: Readonly<Record<string, Operation>> = {
  listApiKeys: site.list,
  createApiKey: site.create,
  getApiKey: site.get,
  deleteApiKey: site.remove,
  listProfileApiKeys: profile.list,
  createProfileApiKey: profile.create,
  getProfileApiKey: profile.get,
  deleteProfileApiKey: profile.remove,
  listOrgApiKeys: org.list,
  createOrgApiKey: org.create,
  getOrgApiKey: org.get,
  deleteOrgApiKey: org.remove,
};

const REGISTERED = ['access', 'admin', 'apiKeyId'] as const;

function keysOf(kind: Kind): Record<'list' | 'create' | 'get' | 'remove', Operation> {
  const address: HostedAddress = kind.part;
  const all = async (call: Call): Promise<Readonly<Record<string, ApiKeyInfo>>> => {
    const found = await read(call, address, { ...call.params, part: 'apiKeys' });
    return Object.fromEntries(Object.values(asMap(found)).map((key) => [urlSafeId(textAt(key, 'id')), infoOf(key)]));
  };
  const one = async (call: Call): Promise<ApiKeyInfo> => {
    const { id = '' } = call.params;
    const found = (await all(call))[id];
    if (found === undefined) throw new Refusal('API_KEY_NOT_FOUND', `There is no API key "${id}".`, { data: { id } });
    return found;
  };
  return {
    list: async (call) => {
      const body = await all(call);
      return { status: 200, body, etag: etagOf(body) };
    },
    get: async (call) => {
      const body = await one(call);
      return { status: 200, body, etag: etagOf(body) };
    },
    create: async (call) => {
      const input = (call.body ?? {}) as ApiKeyInput;
      const before = await all(call);
      checkPreconditions(call, etagOf(before));
      if (call.isDryRun) return tried({ status: 201, result: input, diff: [] });
      // Generation 6 refuses a custom expiry.
      const answer = await send(call, address, { ...call.params, part: 'apiKeys' }, { method: 'POST', json: input, generation: 5 });
      const made = (parseJson(answer.text) ?? {}) as Raw;
      // The value is shown only now; without it, the key is useless.
      if (textAt(made, 'id') === '' || textAt(made, 'value') === '') throw outcomeUnknown();
      const registered =
        kind === SITE && (await generationOf(call, call.params)) === 6 ? await register(call, kind, textAt(made, 'id')) : undefined;
      const info = infoOf(made);
      return { status: 201, body: { ...info, value: textAt(made, 'value') }, etag: etagOf(info), warnings: registered?.warnings ?? [] };
    },
    remove: async (call) => {
      const before = await one(call);
      checkPreconditions(call, etagOf(before));
      if (call.isDryRun) return tried({ status: 204, result: null, diff: difference(before, null) });
      await send(call, address, { ...call.params, part: `apiKeys/${call.params['id'] ?? ''}` }, { method: 'DELETE' });
      return { status: 204 };
    },
  };
}

/** With generation 6 a key is valid only if the site lists it. The list is read, and written with the key added. */
async function register(call: Call, kind: Kind, id: string): Promise<Outcome> {
  const listed = (present: Raw | undefined) => {
    const list = valueAt(present, REGISTERED);
    return Array.isArray(list) ? list.filter((one) => typeof one === 'string') : [];
  };
  const next = (present: Raw | undefined) => placed(present ?? {}, REGISTERED, [...new Set([...listed(present), id])]);
  const { ifMatch: _ifMatch, ifNoneMatch: _ifNoneMatch, ...rest } = call;
  return await change(rest, kind, { view: ['access', 'admin'], next });
}

function infoOf(key: Raw): ApiKeyInfo {
  const expires = timeOf(key['expiration']);
  const description = textAt(key, 'description');
  return {
    id: urlSafeId(textAt(key, 'id')),
    ...(description === '' ? {} : { description }),
    roles: (Array.isArray(key['roles']) ? key['roles'] : []).flatMap((role: unknown) => RoleName.safeParse(role).data ?? []),
    subject: textAt(key, 'subject'),
    created: timeOf(key['created']),
    // The hosted service does not name the creator.
    createdBy: '',
    expires,
    expiration: expires,
  };
}

function textAt(object: Raw, name: string): string {
  const value = object[name];
  return typeof value === 'string' ? value : '';
}

function timeOf(value: unknown): string {
  return new Date(typeof value === 'string' && !Number.isNaN(Date.parse(value)) ? value : 0).toISOString();
}
