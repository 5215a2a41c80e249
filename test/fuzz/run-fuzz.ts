import { ERRORS, Problem } from '@repoless/contract/errors.ts';
import { setTimeout as pause } from 'node:timers/promises';
import { createJudge, type Judge } from '../support/check-answers-judge.ts';
import { createRawRequests } from './raw-requests.ts';
import { createRequests, type FuzzedRequest, operationsOf } from './requests.ts';
import { createSender, type Ending } from './send.ts';
import { type FuzzTarget, memoryOf } from './target.ts';
import { createRandom, createTexts, type Random, type Texts } from './texts.ts';

export interface FuzzReport {
  readonly requests: number;
  /** The number of requests by status, or by another ending. */
  readonly endings: Readonly<Record<string, number>>;
  /** Answers checked against the document. */
  readonly judged: number;
  /** Requests answered by 5xx, contrary to the document, or not at all, each in a form that can be sent again. */
  readonly faults: readonly string[];
  /** Bytes, after a warm-up and at the end. */
  readonly memory: { readonly before: number; readonly after: number };
  /** The bystander's longest and median wait in milliseconds, and its failures. */
  readonly bystander: { readonly longest: number; readonly median: number; readonly failed: number };
}

/** Sends this many requests, determined only by the seed, some concurrently. */
export async function runFuzz(target: FuzzTarget, { requests, seed }: { requests: number; seed: number }): Promise<FuzzReport> {
  const random = createRandom(seed);
  const { child, document, hosts } = target;
  const url = new URL(child.address);
  const texts = createTexts(random, target.known);
  const value = valuesOf(document, random, texts);
  const next = createRequests({ operations: operationsOf(document), value, texts, ...target }, random);
  const nextRaw = createRawRequests([url.host, ...hosts], random, texts);
  const sender = createSender(Number(url.port), TIMEOUT);
  const judge = createJudge(document, { reads: false });
  const endings: Record<string, number> = {};
  const faults: string[] = [];
  const ended = { value: false };
  const bystander = watchBystander(target, ended);
  let [before, judged] = [0, 0];

  const note = (ending: Ending, fault: string | undefined, shown: () => string) => {
    const key = ending.kind === 'answered' ? `${ending.status}` : ending.kind;
    endings[key] = (endings[key] ?? 0) + 1;
    if (fault !== undefined && faults.length < MAX_FAULTS) faults.push(`${fault} ${shown()}`);
  };
  const send = async (one: FuzzedRequest): Promise<void> => {
    const ending = await sender.send(one);
    // The document describes the address of its program, not those of sites.
    const judges = one.headers['host'] === undefined ? judge : undefined;
    if (judges !== undefined && ending.kind === 'answered') judged += 1;
    note(ending, faultOf(ending, judges), () => JSON.stringify({ ...one, body: one.body?.toString() }).slice(0, SHOWN));
  };
  const sendRaw = async (bytes: Buffer): Promise<void> => {
    const ending = await sender.sendRaw(bytes);
    note(ending, faultOf(ending, undefined), () => JSON.stringify(bytes.toString('latin1')).slice(0, SHOWN));
  };
  for (let sent = 0; sent < requests;) {
    if (before === 0 && sent >= requests / 10) before = await memoryOf(child);
    if (sent % (AT_ONCE * 20) === 0)
      await target.renew().catch((error: unknown) => note({ kind: 'closed' }, 'renewal', () => String(error)));
    // Generated sequentially, so that the same seed generates the same requests, whatever the answers.
    const batch = Array.from({ length: Math.min(AT_ONCE, requests - sent) }, () => (random.chance(RAW) ? nextRaw() : next()));
    await Promise.all(batch.map((one) => (Buffer.isBuffer(one) ? sendRaw(one) : send(one))));
    sent += batch.length;
    if (child.child.exitCode !== null) throw new Error(`The program ended: ${child.output().slice(-2000)}`);
  }
  ended.value = true;
  sender.close();
  return { requests, endings, judged, faults, memory: { before, after: await memoryOf(child) }, bystander: await bystander };
}

/** A reader of another organization sends requests continuously. */
async function watchBystander({ bystander }: FuzzTarget, ended: { readonly value: boolean }): Promise<FuzzReport['bystander']> {
  const times: number[] = [];
  let failed = 0;
  while (!ended.value) {
    const start = performance.now();
    const status = await bystander().then(
      (answer) => answer.status,
      () => 0,
    );
    times.push(performance.now() - start);
    if (status !== 200) failed += 1;
    await pause(20);
  }
  const sorted = times.toSorted((one, other) => one - other);
  return { longest: Math.round(sorted.at(-1) ?? 0), median: Math.round(sorted[sorted.length >> 1] ?? 0), failed };
}

const RAW = 0.2;
const AT_ONCE = 24;
const TIMEOUT = 30_000;
const MAX_FAULTS = 20;
const SHOWN = 3000;

/** What is wrong with the ending of a request; undefined if nothing is. `judge` is set if the document describes the address. */
function faultOf(ending: Ending, judge: Judge | undefined): string | undefined {
  if (ending.kind !== 'answered') return ending.kind === 'hung' ? 'hung' : undefined;
  const { status, code = '', body, exchange } = ending;
  if (status >= 500 && !OUTSIDE.has(code)) return `${status} ${code}`;
  if (exchange === undefined) return body === undefined || isProblem(body) ? undefined : `${status} is no problem document: ${body}`;
  const deviations = judge?.(exchange).deviations ?? [];
  return deviations.length === 0 ? undefined : `${status} ${code} is not as documented: ${deviations.join('; ')}`;
}

function isProblem(body: string): boolean {
  try {
    return Problem.safeParse(JSON.parse(body)).success;
  } catch {
    return false;
  }
}

/** 503 caused by other systems, or by an exhausted share. */
const BUSY: ReadonlySet<string> = new Set(['IDENTITY_PROVIDER_UNREACHABLE']);

/** Codes for another system that does not respond as expected, because fuzzing invents addresses. */
const OUTSIDE: ReadonlySet<string> = new Set(
  Object.entries(ERRORS).flatMap(([code, { status }]) => ([501, 502, 504].includes(status) || BUSY.has(code) ? [code] : [])),
);

/** A JSON schema, as far as values are made from it. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly examples?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
}

/** Generates values of an OpenAPI document's schemas, occasionally invalid ones. */
function valuesOf(document: unknown, random: Random, texts: Texts): (schema: unknown) => unknown {
  function resolve(schema: Schema): Schema {
    if (schema.$ref === undefined) return schema;
    const found = schema.$ref
      .replace(/^#\//, '')
      .split('/')
      .reduce<unknown>((node, name) => Reflect.get(Object(node), name), document);
    return asSchema(found);
  }

  function value(given: Schema, depth: number): unknown {
    const schema = resolve(given);
    if (depth > DEEPEST || random.chance(WRONG)) return anyValue(depth);
    if (schema.const !== undefined) return schema.const;
    if (schema.enum !== undefined) return random.pick(schema.enum);
    if (schema.examples !== undefined && random.chance(0.5)) return random.pick(schema.examples);
    const branches = schema.anyOf ?? schema.oneOf;
    if (branches !== undefined) return value(random.pick(branches), depth + 1);
    if (schema.allOf !== undefined) return Object.assign({}, ...schema.allOf.map((one) => value(one, depth + 1)));
    switch ([schema.type].flat()[0]) {
      case 'object':
        return object(schema, depth);
      case 'array':
        return Array.from({ length: random.below(4) }, () => value(schema.items ?? {}, depth + 1));
      case 'string':
        return random.chance(0.6) ? texts.known() : texts.any();
      case 'integer':
      case 'number':
        return random.pick([0, 1, 2, 60, -1, 1.5, 1e21, 4_294_967_296]);
      case 'boolean':
        return random.chance(0.5);
      case 'null':
        return null;
      default:
        return anyValue(depth);
    }
  }

  function object(schema: Schema, depth: number): Record<string, unknown> {
    const required = new Set(schema.required);
    const generated: Record<string, unknown> = {};
    for (const [name, property] of Object.entries(schema.properties ?? {}))
      if (required.has(name) ? !random.chance(WRONG) : random.chance(0.4)) define(generated, name, value(property, depth + 1));
    const { additionalProperties: more } = schema;
    const extra = typeof more === 'object' ? random.below(3) : random.chance(WRONG) ? 1 : 0;
    for (let count = 0; count < extra; count += 1)
      define(generated, random.chance(0.6) ? texts.known() : texts.any(), value(typeof more === 'object' ? more : {}, depth + 1));
    return generated;
  }

  function anyValue(depth: number): unknown {
    switch (random.below(depth > DEEPEST ? 5 : 8)) {
      case 0:
        return null;
      case 1:
        return random.chance(0.5);
      case 2:
        return random.pick([0, -1, 1e308, 0.1, 2 ** 53]);
      case 3:
      case 4:
        return texts.any();
      case 5:
        return Array.from({ length: random.below(5) }, () => anyValue(depth + 1));
      case 6:
        return nested(random.below(100));
      default: {
        const generated: Record<string, unknown> = {};
        for (let count = random.below(5); count > 0; count -= 1) define(generated, texts.any(), anyValue(depth + 1));
        return generated;
      }
    }
  }

  function nested(levels: number): unknown {
    let generated: unknown = 1;
    for (let level = 0; level < levels; level += 1) generated = level % 2 === 0 ? [generated] : { a: generated };
    return generated;
  }

  return (schema) => value(asSchema(schema), 0);
}

// The name may be one that every object inherits.
function define(target: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
}

function asSchema(value: unknown): Schema {
  return typeof value === 'object' && value !== null ? value : {};
}

const WRONG = 0.08;
const DEEPEST = 8;
