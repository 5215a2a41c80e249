import { RoleName } from '@repoless/contract/access.ts';
import { valueAt } from '@repoless/contract/json.ts';
import type { ApiKeyInfo, ApiKeyInput, SiteTokenInfo } from '@repoless/contract/credentials.ts';
import { difference } from '@repoless/contract/difference.ts';
import { checkPreconditions, Refusal } from '@repoless/contract/refusal.ts';
import type { SecretInfo } from '@repoless/contract/secret.ts';
import { parseJson } from '@repoless/core/api/exchange.ts';
import {
  type Call,
  generationOf,
  type HostedAddress,
  type Operation,
  type Outcome,
  outcomeUnknown,
  read,
  send,
  dryRunAnswer,
} from './call.ts';
import { change } from './change.ts';
import { urlSafeId } from './credential.ts';
import { asMap, etagOf, isoTime, type Kind, ORG, withValueAt, PROFILE, type Raw, SITE } from './document.ts';

const [siteSecrets, profileSecrets, orgSecrets] = [secretsOf('sitePart'), secretsOf('profilePart'), secretsOf('orgPart')];
const [siteTokens, profileTokens] = [tokensOf('sitePart'), tokensOf('profilePart')];
const [siteKeys, profileKeys, orgKeys] = [keysOf(SITE), keysOf(PROFILE), keysOf(ORG)];

/**
 * Secrets, site tokens and API keys of the hosted service. Values of secrets are passed through and those of keys shown once; none is
 * stored. Site tokens are deprecated: secrets do the same, so none is created here.
 */
export const CREDENTIAL_OPERATIONS: Readonly<Record<string, Operation>> = {
  listSecrets: siteSecrets.list,
  generateSecret: siteSecrets.generate,
  getSecret: siteSecrets.get,
  setSecret: siteSecrets.set,
  deleteSecret: siteSecrets.remove,
  listProfileSecrets: profileSecrets.list,
  generateProfileSecret: profileSecrets.generate,
  getProfileSecret: profileSecrets.get,
  setProfileSecret: profileSecrets.set,
  deleteProfileSecret: profileSecrets.remove,
  listOrgSecrets: orgSecrets.list,
  generateOrgSecret: orgSecrets.generate,
  getOrgSecret: orgSecrets.get,
  setOrgSecret: orgSecrets.set,
  deleteOrgSecret: orgSecrets.remove,
  listSiteTokens: siteTokens.list,
  getSiteToken: siteTokens.get,
  deleteSiteToken: siteTokens.remove,
  listProfileTokens: profileTokens.list,
  getProfileToken: profileTokens.get,
  deleteProfileToken: profileTokens.remove,
  listApiKeys: siteKeys.list,
  createApiKey: siteKeys.create,
  getApiKey: siteKeys.get,
  deleteApiKey: siteKeys.remove,
  listProfileApiKeys: profileKeys.list,
  createProfileApiKey: profileKeys.create,
  getProfileApiKey: profileKeys.get,
  deleteProfileApiKey: profileKeys.remove,
  listOrgApiKeys: orgKeys.list,
  createOrgApiKey: orgKeys.create,
  getOrgApiKey: orgKeys.get,
  deleteOrgApiKey: orgKeys.remove,
};

interface Listed<T> {
  readonly address: HostedAddress;
  readonly part: 'secrets' | 'tokens' | 'apiKeys';
  /** What a caller may see of one; never a value or a hash. */
  entryOf(name: string, stored: Raw): readonly [id: string, info: T];
  missing(id: string): Refusal;
}

/** What the three kinds have in common: a part of a document that is listed and from which entries are read and removed. */
function listed<T extends object>({ address, part, entryOf, missing }: Listed<T>) {
  const all = async (call: Call): Promise<Readonly<Record<string, T>>> => {
    const found = await read(call, address, { ...call.params, part });
    return Object.fromEntries(Object.entries(asMap(found)).map(([name, stored]) => entryOf(name, stored)));
  };
  const idOf = ({ params }: Call): string => params['id'] ?? params['name'] ?? '';
  const one = async (call: Call): Promise<T> => {
    const found = (await all(call))[idOf(call)];
    if (found === undefined) throw missing(idOf(call));
    return found;
  };
  const sendJson = async (
    call: Call,
    method: 'POST' | 'DELETE',
    { at = part, ...parts }: { at?: string; json?: unknown; generation?: 5 } = {},
  ) => (parseJson((await send(call, address, { ...call.params, part: at }, { method, ...parts })).text) ?? {}) as Raw;
  return {
    all,
    sendJson,
    list: async (call: Call) => shown(await all(call)),
    get: async (call: Call) => shown(await one(call)),
    remove: async (call: Call) => {
      const before = await one(call);
      checkPreconditions(call, etagOf(before));
      if (call.isDryRun) return dryRunAnswer({ status: 204, result: null, diff: difference(before, null) });
      await sendJson(call, 'DELETE', { at: `${part}/${idOf(call)}` });
      return { status: 204 };
    },
  };
}

function shown(body: object): Outcome {
  return { status: 200, body, etag: etagOf(body) };
}

function secretsOf(address: HostedAddress): Record<'list' | 'generate' | 'get' | 'set' | 'remove', Operation> {
  const { all, sendJson, ...common } = listed<SecretInfo>({
    address,
    part: 'secrets',
    entryOf: (name, secret) => [name, secretInfo(name, secret)],
    missing: (name) => new Refusal('SECRET_NOT_FOUND', `There is no secret "${name}".`, { data: { name } }),
  });
  return {
    ...common,
    generate: async (call) => {
      checkPreconditions(call, etagOf(await all(call)));
      if (call.isDryRun) return dryRunAnswer({ status: 201, result: {}, diff: [] });
      const created = await sendJson(call, 'POST', { json: call.body ?? {} });
      const [info, value] = [secretInfo('', created), created['value']];
      return { status: 201, body: { ...info, ...(typeof value === 'string' ? { value } : {}) }, etag: etagOf(info) };
    },
    set: async (call) => {
      const { name = '' } = call.params;
      const before = (await all(call))[name];
      checkPreconditions(call, before === undefined ? undefined : etagOf(before));
      const input = (call.body ?? {}) as Raw;
      if (input['value'] === undefined)
        throw new Refusal('BODY_INVALID', 'The hosted service makes no value for a secret with a name. Send the value.', {
          errors: [{ pointer: '/value', detail: 'Write the value of the secret.' }],
        });
      const now = call.options.now().toISOString();
      if (call.isDryRun) {
        const after = { id: name, type: 'key', created: before?.created ?? now, lastModified: now };
        return dryRunAnswer({ status: 200, result: after, diff: difference(before ?? null, after) });
      }
      // Only the contract has an expiry and a description.
      const stored = await sendJson(call, 'POST', { at: `secrets/${name}`, json: { value: input['value'] } });
      const warnings = ['expires', 'description']
        .filter((one) => input[one] !== undefined)
        .map((one) => `The hosted service does not keep "${one}" of a secret.`);
      return { ...shown(secretInfo(name, stored)), warnings };
    },
  };
}

function secretInfo(name: string, secret: Raw): SecretInfo {
  const id = textAt(secret, 'id');
  return {
    id: id === '' ? name : id,
    type: secret['type'] === 'hashed' ? 'hashed' : 'key',
    created: timeAt(secret, 'created'),
    lastModified: timeAt(secret, secret['lastModified'] === undefined ? 'created' : 'lastModified'),
  };
}

function tokensOf(address: HostedAddress): Record<'list' | 'get' | 'remove', Operation> {
  const { list, get, remove } = listed<SiteTokenInfo>({
    address,
    part: 'tokens',
    entryOf(id, stored) {
      const created = isoTime(stored['created']);
      return [id, { id, ...(created === undefined ? {} : { created }) }];
    },
    missing: (id) => new Refusal('SITE_TOKEN_NOT_FOUND', `There is no site token "${id}".`, { data: { id } }),
  });
  return { list, get, remove };
}

const REGISTERED = ['access', 'admin', 'apiKeyId'] as const;

function keysOf(kind: Kind): Record<'list' | 'create' | 'get' | 'remove', Operation> {
  const { all, sendJson, ...common } = listed<ApiKeyInfo>({
    address: kind.part,
    part: 'apiKeys',
    entryOf: (_name, key) => [urlSafeId(textAt(key, 'id')), keyInfo(key)],
    missing: (id) => new Refusal('API_KEY_NOT_FOUND', `There is no API key "${id}".`, { data: { id } }),
  });
  return {
    ...common,
    create: async (call) => {
      const input = (call.body ?? {}) as ApiKeyInput;
      const before = await all(call);
      checkPreconditions(call, etagOf(before));
      if (call.isDryRun) return dryRunAnswer({ status: 201, result: input, diff: [] });
      // Generation 6 refuses a custom expiry.
      const created = await sendJson(call, 'POST', { json: input, generation: 5 });
      // The value is shown only now; without it, the key is useless.
      if (textAt(created, 'id') === '' || textAt(created, 'value') === '') throw outcomeUnknown();
      const registered =
        kind === SITE && (await generationOf(call, call.params)) === 6 ? await register(call, kind, textAt(created, 'id')) : undefined;
      const info = keyInfo(created);
      return { status: 201, body: { ...info, value: textAt(created, 'value') }, etag: etagOf(info), warnings: registered?.warnings ?? [] };
    },
  };
}

/** With generation 6 a key is valid only if the site lists it. The list is read, and written with the key added. */
async function register(call: Call, kind: Kind, id: string): Promise<Outcome> {
  const known = (current: Raw | undefined) => {
    const list = valueAt(current, REGISTERED);
    return Array.isArray(list) ? list.filter((one) => typeof one === 'string') : [];
  };
  const next = (current: Raw | undefined) => withValueAt(current ?? {}, REGISTERED, [...new Set([...known(current), id])]);
  const { ifMatch: _ifMatch, ifNoneMatch: _ifNoneMatch, ...rest } = call;
  return await change(rest, kind, { view: ['access', 'admin'], next });
}

function keyInfo(key: Raw): ApiKeyInfo {
  const expires = timeAt(key, 'expiration');
  const description = textAt(key, 'description');
  return {
    id: urlSafeId(textAt(key, 'id')),
    ...(description === '' ? {} : { description }),
    roles: (Array.isArray(key['roles']) ? key['roles'] : []).flatMap((role: unknown) => RoleName.safeParse(role).data ?? []),
    subject: textAt(key, 'subject'),
    created: timeAt(key, 'created'),
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

/** The contract requires a time: the epoch if the hosted service returns none. */
function timeAt(object: Raw, name: string): string {
  return isoTime(object[name]) ?? new Date(0).toISOString();
}
