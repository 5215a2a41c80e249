import type { Endpoint } from '@repoless/contract/endpoint.ts';
import { jsonPointer } from '@repoless/contract/errors.ts';
import type { Org } from '@repoless/contract/org.ts';
import { authorize } from '@repoless/service/access/permit.ts';
import { composeSiteYaml } from '@repoless/service/composition/site-yaml.ts';
import type { Context, Input, Operation } from '@repoless/service/domain/context.ts';
import { Refusal } from '@repoless/contract/refusal.ts';
import type { CodeHost, Store } from '@repoless/service/domain/ports.ts';
import { type Reply, replyOf } from '@repoless/service/http/answer.ts';
import { newSecretKeys, readSecretBox } from '@repoless/service/secrets/secret-box.ts';
import type { z } from 'zod';
import { org, user } from '../support/builders.ts';
import { everyRepository } from '../support/code-sources.ts';
import { ANONYMOUS, type Caller } from '@repoless/service/sessions/identity.ts';

export const otto = user('otto@example.com');
export const ada = user('ada@example.com');
export const carl = user('carl@example.com');
export const stranger = user('sam@example.com');
export const operator = user('operator@example.com');
export const anonymous = ANONYMOUS;

/** A caller's request; everything except the path is optional. */
export interface Request {
  readonly params: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly ifMatch?: string;
  readonly ifNoneMatch?: string;
}

/** An organization on the code host, and the files of its repositories by `<repository>/<path>`. */
export type CodeHostContent = Record<string, Record<string, string>>;

export interface World {
  readonly store: Store;
  readonly codeHost: CodeHostContent;
  /** Makes a call as the pipeline would: permission, then body, then the operation. Returns the answer as HTTP sends it. */
  call<E extends Endpoint>(row: E, operation: Operation<E>, caller: Caller, request: Request): Promise<Reply>;
  /** The context of a caller's operation. */
  context(caller: Caller): Context;
  /** Moves the clock. */
  advance(milliseconds: number): void;
}

/** The domain on a real store, with an organization `acme` of `otto` and a code host with the given content. */
export async function createWorld(store: Store, extra: Partial<Org> = {}, versionsKept = 1000): Promise<World> {
  // Already created if another node shares the database.
  if ((await store.reads.org('acme')) === undefined) await store.write((writes) => writes.putOrg(org('acme', extra)));
  const codeHost: CodeHostContent = { acme: {} };
  const box = readSecretBox(newSecretKeys());
  let time = Date.now();
  let ids = 0;
  const contextFor = (caller: Caller): Context => ({
    caller,
    requestId: 'request-1',
    address: '192.0.2.1',
    store,
    codeHost: codeHostOf(codeHost),
    codeSources: everyRepository,
    siteYamlProblem: composeSiteYaml(),
    settings: {
      hosts: { protocol: 'https', preview: 'preview.example', live: 'live.example' },
      operators: ['operator@example.com', 'second-operator@example.com'],
      codeHost: 'https://code.example',
      versionsKept,
      quotas: { syncs: 2 },
    },
    box,
    now: () => new Date((time += 1000)),
    newId: () => `id-${(ids += 1)}`,
  });
  return {
    store,
    codeHost,
    async call(row, operation, caller, request) {
      const context = contextFor(caller);
      await authorize(context, row.permission, request.params);
      return replyOf(await operation(context, parsed(row, request)));
    },
    context: contextFor,
    advance(milliseconds) {
      time += milliseconds;
    },
  };
}

// Safe: an operation's input is defined as what its row's schemas return.
function parsed<E extends Endpoint>(row: E, request: Request): Input<E> {
  const { ifMatch, ifNoneMatch } = request;
  const body =
    row.body === undefined || (row.body.optional === true && request.body === undefined) ? undefined : valid(row.body.schema, request.body);
  const input = {
    params: valid(row.params, request.params),
    query: valid(row.query, request.query ?? {}),
    body,
    headers: {},
    ...(ifMatch === undefined ? {} : { ifMatch }),
    ...(ifNoneMatch === undefined ? {} : { ifNoneMatch }),
  };
  return input as unknown as Input<E>;
}

function valid(schema: z.ZodType, value: unknown): unknown {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const errors = result.error.issues.map((issue) => ({ pointer: jsonPointer(issue.path), detail: issue.message }));
  throw new Refusal('BODY_INVALID', errors[0]?.detail ?? 'not valid', { errors });
}

function codeHostOf(content: CodeHostContent): CodeHost {
  return {
    organizationExists: async (name) => Object.hasOwn(content, name),
    readFile: async (name, repository, path) => content[name]?.[`${repository}/${path}`],
  };
}
