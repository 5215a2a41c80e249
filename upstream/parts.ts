import { namesEtag, Refusal } from '@repoless/contract/refusal.ts';
import { ask, type Call, type Operation } from './call.ts';
import { change } from './change.ts';
import { etagOfView, type Kind, load, SERVER_SET, unknownWarnings } from './document.ts';
import { etagOf, placed, type Raw, valueAt } from './documents.ts';
import { aboutOf } from './call.ts';
import { refusalOf } from './refusals.ts';
import { versionData } from './versions.ts';

/** The calls of a whole document. */
export function documentOperations(kind: Kind): Record<'get' | 'put' | 'post' | 'remove', Operation> {
  const write =
    (replacesWhole: boolean): Operation =>
    async (call) => {
      const version = call.query['restoreVersion'];
      if (call.query['migrate'] === true)
        throw new Refusal(
          'QUERY_INVALID',
          'The hosted service takes no site from a repository. Use "repoless import", and omit "migrate".',
        );
      if (typeof version === 'number') return await restore(call, kind, version);
      const body = (call.body ?? {}) as Raw;
      refuseSecretValues(body);
      // As for a service of our own: a precondition on the whole document says which one is replaced (docs/contract.md 3.1).
      const isWhole = (etag: string) => replacesWhole || call.query['replace'] === true || namesEtag(call.ifMatch, etag);
      return await change(call, kind, {
        view: [],
        creates: true,
        next: (present) => ({ ...(present === undefined || isWhole(etagOf(present)) ? keptOf(present) : present), ...named(body) }),
      });
    };
  return {
    get: async (call) => {
      const { shown, etag, unknown } = await found(call, kind);
      return { status: 200, body: shown, etag, warnings: unknownWarnings(unknown) };
    },
    // Of a site alone it keeps what the body does not name (docs/contract.md 3.1).
    put: write(kind.name !== 'site'),
    post: write(true),
    remove: (call) => change(call, kind, { view: [], next: () => null }),
  };
}

/** What a whole body does not say and keeps: what the service sets. */
function keptOf(present: Raw | undefined): Raw {
  return Object.fromEntries(SERVER_SET.flatMap((name) => (present?.[name] === undefined ? [] : [[name, present[name]]])));
}

function named(body: Raw): Raw {
  return Object.fromEntries(Object.entries(body).filter(([name]) => !SERVER_SET.some((one) => one === name)));
}

function refuseSecretValues({ secrets }: Raw): void {
  const hasValue = Object.values(Object(secrets) as object).some((one: unknown) => Reflect.get(Object(one), 'value') !== undefined);
  if (hasValue)
    throw new Refusal(
      'BODY_INVALID',
      'The hosted service takes the value of a secret at its own address alone: POST …/secrets/<name>.json.',
    );
}

async function restore(call: Call, kind: Kind, version: number) {
  const data = await versionData(call, kind, version);
  return await change(call, kind, {
    view: [],
    creates: true,
    next: () => data,
    send: () => ask(call, kind.whole, call.params, { method: 'POST', query: { restoreVersion: version } }),
  });
}

/** The calls of one part of a document. In: where it stands, by the names in the address. */
export function partOperations(
  kind: Kind,
  viewOf: (params: Call['params']) => readonly string[],
  bodyOf: (body: unknown) => unknown = (body) => body,
): Record<'get' | 'set' | 'remove', Operation> {
  const missing = (view: readonly string[]) =>
    new Refusal('PART_NOT_FOUND', `There is no ${view.join('/')}.`, { data: { part: view.join('/') } });
  return {
    get: async (call) => {
      const view = viewOf(call.params);
      const { shown } = await found(call, kind);
      const [body, etag] = [valueAt(shown, view), etagOfView(shown, view)];
      if (body === undefined || etag === undefined) throw missing(view);
      return { status: 200, body, etag };
    },
    set: (call) => {
      const view = viewOf(call.params);
      return change(call, kind, { view, next: (present) => placed(present ?? {}, view, bodyOf(call.body)) });
    },
    remove: (call) => {
      const view = viewOf(call.params);
      return change(call, kind, {
        view,
        next: (present) => {
          if (valueAt(present, view) === undefined) throw missing(view);
          return placed(present ?? {}, view, undefined);
        },
      });
    },
  };
}

async function found(call: Call, kind: Kind) {
  const present = await load(call, kind);
  if (present === undefined) throw refusalOf({ status: 404, headers: {}, text: '' }, aboutOf(call, call.params));
  return present;
}
