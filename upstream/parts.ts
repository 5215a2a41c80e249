import type { OrgUser, OrgUserInput } from '@repoless/contract/org.ts';
import { valueAt } from '@repoless/contract/json.ts';
import { bodyInvalid, namesEtag, Refusal } from '@repoless/contract/refusal.ts';
import { SITE_YAML_NAMES } from '@repoless/contract/site-parts.ts';
import { randomUUID } from 'node:crypto';
import { callHosted, type Call, type Operation, type Outcome } from './call.ts';
import { change } from './change.ts';
import {
  etagOf,
  type Kind,
  ORG,
  ownMembers,
  pick,
  withValueAt,
  type Raw,
  requireDocument,
  SERVER_SET,
  unknownWarnings,
} from './document.ts';
import { storedVersions, restorable, versionData } from './versions.ts';

export function documentOperations(kind: Kind): Record<'get' | 'put' | 'post' | 'remove', Operation> {
  const write =
    (isReplaced: boolean): Operation =>
    async (call) => {
      const version = call.query['restoreVersion'];
      if (call.query['migrate'] === true)
        throw new Refusal(
          'QUERY_INVALID',
          'The hosted service takes no site from a repository. Use "repoless import", and omit "migrate".',
        );
      if (typeof version === 'number') return await restore(call, kind, version);
      const body = (call.body ?? {}) as Raw;
      refuseElsewhere(body);
      // As in our own service: a precondition on the whole document makes the write replace it (docs/contract.md 3.1).
      const isReplacement = (etag: string) =>
        isReplaced || call.query['replace'] === true || (call.ifMatch !== undefined && namesEtag(call.ifMatch, etag));
      return await change(call, kind, {
        view: [],
        creates: true,
        next: (current) => {
          if (!isReplaced && Object.keys(ownMembers(body)).length === 0)
            throw bodyInvalid('', 'The body contains no part of the site. Send the parts to change.');
          return {
            ...(current === undefined || isReplacement(etagOf(current)) ? pick(current, SERVER_SET) : current),
            ...ownMembers(body),
            ...(kind === ORG ? { users: usersIn(body, current) } : {}),
          };
        },
      });
    };
  return {
    get: async (call) => {
      const { shown, unknown } = await requireDocument(call, kind);
      return { status: 200, body: shown, etag: etagOf(shown), warnings: unknownWarnings(unknown) };
    },
    // Only for a site, PUT preserves what the body omits (docs/contract.md 3.1).
    put: write(kind.name !== 'site'),
    post: write(true),
    remove: (call) => change(call, kind, { view: [], next: () => null }),
  };
}

/** Refuses what the hosted service does not accept in a document. */
function refuseElsewhere(body: Raw): void {
  const secrets = Object.values(Object(body['secrets']) as object);
  if (secrets.some((one: unknown) => Reflect.get(Object(one), 'value') !== undefined))
    throw new Refusal(
      'BODY_INVALID',
      'The hosted service takes the value of a secret at its own address alone: POST …/secrets/<name>.json.',
    );
  if (body['editor'] !== undefined)
    throw new Refusal('BODY_INVALID', 'The hosted service has no editor configurations. Leave "editor" out.', {
      errors: [{ pointer: '/editor', detail: 'Leave it out.' }],
    });
  const file = SITE_YAML_NAMES.find((name) => body[name] !== undefined);
  if (file !== undefined)
    throw new Refusal('BODY_INVALID', `The hosted service takes ${file}.yaml at its own address alone: POST …/content/${file}.yaml.`, {
      errors: [{ pointer: `/${file}`, detail: `Send it to …/content/${file}.yaml.` }],
    });
}

/**
 * An organization's users are preserved if the body has none, and keep their identifiers. Safe: parsed by the schema of an organization.
 */
function usersIn(body: Raw, current: Raw | undefined): unknown {
  const known = (current?.['users'] ?? []) as readonly OrgUser[];
  const sent = body['users'] as readonly OrgUserInput[] | undefined;
  const idOf = ({ id, email }: OrgUserInput) =>
    id ?? known.find((one) => one.email.toLowerCase() === email.toLowerCase())?.id ?? randomUUID();
  return sent === undefined ? known : sent.map((user) => ({ ...user, id: idOf(user) }));
}

async function restore(call: Call, kind: Kind, version: number) {
  const data = await versionData(call, kind, version);
  const stored = (await storedVersions(call, kind)).find((one) => one.version === version);
  if (stored !== undefined) return await recreate(call, kind, data, stored.unknown);
  return await change(call, kind, {
    view: [],
    creates: true,
    next: () => data,
    send: () => callHosted(call, kind.whole, call.params, { method: 'POST', query: { restoreVersion: version } }),
  });
}

/** Restores a document that the hosted service has deleted with all its versions from what is stored here. */
async function recreate(call: Call, kind: Kind, version: Raw, unknown: readonly string[]): Promise<Outcome> {
  const { data, lost: credentials } = restorable(version);
  const lost = [...credentials, ...unknown];
  const warnings = lost.length === 0 ? [] : [`Removed with it, and to be made again: ${lost.join(', ')}.`];
  return await change(call, kind, { view: [], creates: true, warnings, next: () => data });
}

/** The calls of one part of a document. Takes its path, from the names in the address, and the `refusal` for a missing part. */
export function partOperations(
  kind: Kind,
  viewOf: (params: Call['params']) => readonly string[],
  refusal: (params: Call['params']) => Refusal = (params) => partMissing(viewOf(params).join('/')),
): Record<'get' | 'set' | 'remove', Operation> {
  return {
    get: async (call) => {
      const view = viewOf(call.params);
      const { shown } = await requireDocument(call, kind);
      const body = valueAt(shown, view);
      if (body === undefined) throw refusal(call.params);
      return { status: 200, body, etag: etagOf(body) };
    },
    set: (call) => {
      const view = viewOf(call.params);
      return change(call, kind, { view, next: (current) => withValueAt(current ?? {}, view, call.body) });
    },
    remove: (call) => {
      const view = viewOf(call.params);
      return change(call, kind, {
        view,
        next: (current) => {
          if (valueAt(current, view) === undefined) throw refusal(call.params);
          return withValueAt(current ?? {}, view, undefined);
        },
      });
    },
  };
}

export function partMissing(part: string): Refusal {
  return new Refusal('PART_NOT_FOUND', `There is no ${part}.`, { data: { part } });
}
