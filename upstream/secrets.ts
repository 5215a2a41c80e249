import { difference } from '@repoless/contract/difference.ts';
import { checkPreconditions, Refusal } from '@repoless/contract/refusal.ts';
import type { SecretInfo } from '@repoless/contract/secret.ts';
import { parseJson } from '@repoless/core/api/exchange.ts';
import type { HostedAddress } from './addresses.ts';
import { type Call, type Operation, read, send, tried } from './call.ts';
import { asMap, etagOf, type Raw } from './documents.ts';

const site = secretsOf('sitePart');
const profile = secretsOf('profilePart');
const org = secretsOf('orgPart');

/** Values are passed through and never stored; the hosted service never returns one again. */
export const SECRET_OPERATIONS: Readonly<Record<string, Operation>> = {
  listSecrets: site.list,
  generateSecret: site.generate,
  getSecret: site.get,
  setSecret: site.set,
  deleteSecret: site.remove,
  listProfileSecrets: profile.list,
  generateProfileSecret: profile.generate,
  getProfileSecret: profile.get,
  setProfileSecret: profile.set,
  deleteProfileSecret: profile.remove,
  listOrgSecrets: org.list,
  generateOrgSecret: org.generate,
  getOrgSecret: org.get,
  setOrgSecret: org.set,
  deleteOrgSecret: org.remove,
};

function secretsOf(address: HostedAddress): Record<'list' | 'generate' | 'get' | 'set' | 'remove', Operation> {
  const all = async (call: Call) => {
    const found = await read(call, address, { ...call.params, part: 'secrets' });
    return Object.fromEntries(Object.entries(asMap(found)).map(([name, secret]) => [name, infoOf(name, secret)]));
  };
  const one = async (call: Call) => {
    const { name = '' } = call.params;
    const found = (await all(call))[name];
    if (found === undefined) throw new Refusal('SECRET_NOT_FOUND', `There is no secret "${name}".`, { data: { name } });
    return found;
  };
  const sent = async (call: Call, part: string, method: 'POST' | 'DELETE', json?: unknown) => {
    const answer = await send(call, address, { ...call.params, part }, { method, ...(json === undefined ? {} : { json }) });
    return (parseJson(answer.text) ?? {}) as Raw;
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
    generate: async (call) => {
      checkPreconditions(call, etagOf(await all(call)));
      if (call.isDryRun) return tried({ status: 201, result: {}, diff: [] });
      const made = await sent(call, 'secrets', 'POST', call.body ?? {});
      const [info, value] = [infoOf('', made), made['value']];
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
        return tried({ status: 200, result: after, diff: difference(before ?? null, after) });
      }
      // Only the contract has an expiry and a description.
      const stored = await sent(call, `secrets/${name}`, 'POST', { value: input['value'] });
      const warnings = ['expires', 'description']
        .filter((one) => input[one] !== undefined)
        .map((one) => `The hosted service does not keep "${one}" of a secret.`);
      const body = infoOf(name, stored);
      return { status: 200, body, etag: etagOf(body), warnings };
    },
    remove: async (call) => {
      const before = await one(call);
      checkPreconditions(call, etagOf(before));
      if (call.isDryRun) return tried({ status: 204, result: null, diff: difference(before, null) });
      await sent(call, `secrets/${call.params['name'] ?? ''}`, 'DELETE');
      return { status: 204 };
    },
  };
}

/** The description of a secret: never a value or a hash. */
function infoOf(name: string, secret: Raw): SecretInfo {
  const time = (value: unknown) =>
    typeof value === 'string' && !Number.isNaN(Date.parse(value)) ? new Date(value).toISOString() : NO_TIME;
  const id = secret['id'];
  return {
    id: typeof id === 'string' && id !== '' ? id : name,
    type: secret['type'] === 'hashed' ? 'hashed' : 'key',
    created: time(secret['created']),
    lastModified: time(secret['lastModified'] ?? secret['created']),
  };
}
const NO_TIME = '1970-01-01T00:00:00.000Z';
