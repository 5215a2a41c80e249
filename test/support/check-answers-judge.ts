import { Problem } from '@repoless/contract/errors.ts';
import { createCatalogues } from '@repoless/core/messages/catalogue.ts';
import { codeSentenceIn } from '@repoless/core/messages/problem-sentence.ts';
import { z } from 'zod';
import addFormats from 'ajv-formats';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { closeAnswers } from './check-answers-closed.ts';
import {
  type DescribedHeader,
  type DescribedResponse,
  inPointer,
  OpenApiDocument,
  operationFinder,
  outOfPointer,
} from './check-answers-operations.ts';
import type { Exchange } from './check-answers-record.ts';

export interface Judgement {
  /** The requested operation, if the document has it. */
  readonly operation?: string;
  /** Deviations from the document, one sentence each. */
  readonly deviations: readonly string[];
}

export type Judge = (exchange: Exchange) => Judgement;

/** An answer with its body parsed as JSON, once. */
interface Read extends Exchange {
  readonly json: unknown;
}

/** Addresses for people: the page that documents the calls, with its script and styles. */
const PAGES = new Set(['/', '/api-page.js', '/api-page.css']);
/** Refusals of requests that are not in the document; these answers are always problem documents. */
const REFUSALS = new Set([400, 401, 403, 404, 405, 417, 500, 501, 503]);
const HOSTED = new Set(['HOSTED_UNREACHABLE', 'HOSTED_REFUSED', 'OUTCOME_UNKNOWN', 'NOT_OFFERED']);
/** Refusals before routing. */
const UNTAKEN = new Set([400, 417, 503]);

/**
 * Checks answers against an OpenAPI document (plain JSON) and the rules for every answer (docs/contract.md 2.1, docs/contract.md 2.2).
 * `reads`: whether messages are searched for raw or missing values too.
 */
export function createJudge(json: unknown, { reads = true } = {}): Judge {
  const document = OpenApiDocument.parse(json);
  const find = operationFinder(document);
  const validate = createValidator(closeAnswers(json));
  return (sent) => {
    const exchange = { ...sent, json: parsed(sent.body) };
    const headers = headersOf(exchange.head);
    const operation = find(exchange.method, exchange.url);
    const common = everyAnswer(exchange, headers, reads);
    if (exchange.method === 'OPTIONS') return { deviations: [...common, ...options(exchange, headers, validate)] };
    if (operation === undefined) return { deviations: [...common, ...noCall(exchange, headers, validate)] };
    const proxied = headers.has('x-relayed') ? operation.response('default') : undefined;
    const described = proxied ?? operation.response(String(exchange.status)) ?? operation.response('default');
    // In front of the hosted service any call may be refused with these codes (docs/contract.md 2.2).
    if (described === undefined && HOSTED.has(headers.get('x-error-code') ?? '')) return { operation: operation.id, deviations: common };
    if (described === undefined)
      return { operation: operation.id, deviations: [...common, `the status ${exchange.status} is not described`] };
    const { response, pointer } = described;
    const deviations = [
      ...common,
      ...describedHeaders(response, headers, { document, pointer, validate }),
      ...etagOfStored(exchange, response, headers),
      ...describedBody(exchange, headers, { response, pointer, validate }),
      ...untranslated(exchange.json),
    ];
    return { operation: operation.id, deviations: [...new Set(deviations)] };
  };
}

/** The rules for every answer of the service, described or not (docs/contract.md 2.1). */
function everyAnswer(exchange: Read, headers: ReadonlyMap<string, string>, reads: boolean): string[] {
  const { status, body, json } = exchange;
  const needed = ['x-request-id', 'cache-control', ...(status >= 400 && !headers.has('x-relayed') ? ['x-error', 'x-error-code'] : [])];
  return [
    ...needed.filter((name) => !headers.has(name)).map((name) => `the header ${name} is missing`),
    ...((status === 204 || status === 304) && (body ?? '') !== '' ? [`${status} has a body`] : []),
    ...(headers.has('x-relayed') || !reads ? [] : unreadSentences(exchange, headers, json)),
  ];
}

type Validate = (pointer: string, value: unknown) => string[];

/** `OPTIONS` is answered at every address, before routing, unless the request itself is invalid (an unsupported `Expect`, for instance). */
function options(exchange: Read, headers: ReadonlyMap<string, string>, validate: Validate): string[] {
  if (exchange.status === 204) return [];
  return UNTAKEN.has(exchange.status) ? noCall(exchange, headers, validate) : ['OPTIONS is answered 204'];
}

function noCall({ method, url, status, body, json }: Read, headers: ReadonlyMap<string, string>, validate: Validate): string[] {
  if (PAGES.has(url.split('?', 1)[0] ?? '') && status === 200) return [];
  if (!REFUSALS.has(status)) return [`no call is described at this address, and it is answered ${status}`];
  if (mediaOf(headers) !== 'application/problem+json') return ['the refusal is no problem document'];
  if (method === 'HEAD' && body === undefined) return [];
  return validate('#/components/schemas/Problem', json);
}

function describedHeaders(
  response: DescribedResponse,
  headers: ReadonlyMap<string, string>,
  { document, pointer, validate }: { document: OpenApiDocument; pointer: string; validate: Validate },
): string[] {
  return Object.entries(response.headers).flatMap(([name, given]) => {
    const { header, at } = resolved(document, given, `${pointer}/headers/${inPointer(name)}`);
    const value = headers.get(name);
    if (value === undefined) return header.required === true ? [`the header ${name} is missing`] : [];
    return validate(`${at}/schema`, value).map((line) => `the header ${name}: ${line}`);
  });
}

const Jobs = z.object({
  topic: z.literal('code'),
  error: z.string().optional(),
  data: z.object({ waiting: z.string().optional() }).optional(),
  jobs: z.array(z.object({ error: z.string().optional() })).default([]),
});

/** A check of a code source. What a git vendor answered to build management is a quotation. */
const Check = z.object({ type: z.enum(['github', 'byogit']), repository: z.string(), detail: z.string() });

/** What build management says about repositories and deliveries, and the service about notifications. */
const Repository = z.object({ state: z.string(), warnings: z.array(z.string()), problem: z.string().optional() });
const Delivery = z.object({ outcome: z.string(), detail: z.string().optional() });
const Message = z.object({ id: z.string().startsWith('msg_'), problem: z.string().optional() });
const Messages = z.union([Repository, Delivery, Message]);
const Lists = z.object({
  repositories: z.array(Messages).default([]),
  deliveries: z.array(Messages).default([]),
  delivery: Messages.optional(),
});

function messagesIn(json: unknown): (string | undefined)[] {
  const { data: lists } = Lists.safeParse(json);
  const { data: one } = Messages.safeParse(json);
  return [one, lists?.delivery, ...(lists?.repositories ?? []), ...(lists?.deliveries ?? [])].flatMap((found) =>
    found === undefined
      ? []
      : [
          'problem' in found ? found.problem : undefined,
          'detail' in found ? found.detail : undefined,
          ...('warnings' in found ? found.warnings : []),
        ],
  );
}

const QUOTED = 'a quotation';
const SERVICE = { ...(await createCatalogues()('en').read('service')), says: () => QUOTED };

/** Answers without any of these properties say nothing: most of them, and parsing takes long. */
const WITH_MESSAGES = ['topic', 'detail', 'problem', 'warnings', 'repositories', 'deliveries', 'delivery'];

/** What the service says that readers of other languages would read in English. */
function untranslated(json: unknown): string[] {
  if (!isObject(json) || !WITH_MESSAGES.some((name) => name in json)) return [];
  const { data: jobs } = Jobs.safeParse(json);
  const { data: check } = Check.safeParse(json);
  const isQuoted = check?.type === 'byogit' && check.repository === 'unreachable';
  const sentences = [
    jobs?.error,
    jobs?.data?.waiting,
    ...(jobs?.jobs ?? []).map(({ error }) => error),
    isQuoted ? undefined : check?.detail,
    ...messagesIn(json),
  ];
  return sentences
    .filter((sentence) => sentence !== undefined && codeSentenceIn(SERVICE, sentence) === QUOTED)
    .map((sentence) => `contract/code-sentences.ts lacks the sentence: ${sentence}`);
}

/** OpenAPI cannot express this: a write answers the etag of what it stored, except in a dry run. */
function etagOfStored({ method, json }: Read, response: DescribedResponse, headers: ReadonlyMap<string, string>): string[] {
  const isWrite = method !== 'DELETE' && response.headers['etag']?.$ref === '#/components/headers/EtagOfStored';
  return isWrite && !headers.has('etag') && !isDryRun(json) ? ['the header etag is missing'] : [];
}

function isDryRun(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'dryRun' in value && value.dryRun === true;
}

function resolved({ components }: OpenApiDocument, given: DescribedHeader, at: string): { header: DescribedHeader; at: string } {
  const header = given.$ref === undefined ? given : components.headers[given.$ref.split('/').at(-1) ?? ''];
  if (header === undefined) throw new Error(`The document has no ${given.$ref}.`);
  return { header, at: given.$ref ?? at };
}

function describedBody(
  { method, body, json, whole }: Read,
  headers: ReadonlyMap<string, string>,
  { response, pointer, validate }: { response: DescribedResponse; pointer: string; validate: Validate },
): string[] {
  const media = mediaOf(headers);
  const described = Object.keys(response.content ?? {});
  if (described.length === 0) return media === undefined ? [] : [`a body of type ${media} is not described`];
  if (described.includes('*/*')) return [];
  if (media === undefined || !described.includes(media))
    return [`the type ${media ?? '(none)'} is not described, but ${described.join(', ')}`];
  if (body === undefined || method === 'HEAD' || !whole) return [];
  return validate(`${pointer}/content/${inPointer(media)}/schema`, json);
}

function mediaOf(headers: ReadonlyMap<string, string>): string | undefined {
  return headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase();
}

function parsed(body = ''): unknown {
  if (body === '') return undefined;
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** The header lines after the status line, by lower-case name. */
function headersOf(head: string): Map<string, string> {
  const lines = head.split('\r\n').slice(1);
  return new Map(
    lines.flatMap((line): [string, string][] => {
      const colon = line.indexOf(':');
      return colon < 0 ? [] : [[line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]];
    }),
  );
}

/**
 * Compiles a schema of the document when it is first used. Most are only references, many of them to the same schema, which is
 * compiled once. Every process of a run compiles, so options that slow compiling without improving the check are off.
 */
function createValidator(document: unknown): Validate {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false, inlineRefs: false, code: { optimize: false } });
  addFormats.default(ajv);
  ajv.addSchema(Object(document), 'document');
  const compiled = new Map<string, ValidateFunction>();
  const compile = (schemaPointer: string) => {
    const check = compiled.get(schemaPointer) ?? ajv.compile({ $ref: `document${schemaPointer}` });
    compiled.set(schemaPointer, check);
    return check;
  };
  const met = new Map<string, ValidateFunction>();
  return (pointer, value) => {
    if (value === undefined) return ['the body is no JSON'];
    const check = met.get(pointer) ?? compile(referredTo(document, pointer));
    met.set(pointer, check);
    return check(value)
      ? []
      : (check.errors ?? []).map(
          ({ instancePath, message, params }) => `${instancePath || 'the body'} ${message} ${JSON.stringify(params)}`,
        );
  };
}

/** The target of a schema that is only a reference. */
function referredTo(document: unknown, pointer: string): string {
  const [, ...names] = pointer.split('/').map(outOfPointer);
  const schemaPointer = names.reduce<unknown>((at, name) => (isObject(at) ? at[name] : undefined), document);
  if (!isObject(schemaPointer)) return pointer;
  const { $ref, ...beside } = schemaPointer;
  return typeof $ref === 'string' && $ref.startsWith('#/') && Object.keys(beside).length === 0 ? referredTo(document, $ref) : pointer;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** What no message contains if someone has read it once with a real value in it. */
const UNREADABLE = /""|\bundefined\b|\bnull\b|\bNaN\b|\[object|\$\{| {2}|\bInvalid (?:input|option|key|URL|string)\b/;

/** Messages of a refusal that contain a raw or missing value, or that only English has. */
function unreadSentences({ status }: Exchange, headers: ReadonlyMap<string, string>, body: unknown): string[] {
  if (status < 400) return [];
  const problem = Problem.safeParse(body);
  const { detail = '', errors = [] } = problem.success ? problem.data : {};
  const sentences = [headers.get('x-error') ?? '', detail, ...errors.map((error) => error.detail)];
  return [
    ...[...new Set(sentences)]
      .filter((text) => UNREADABLE.test(text))
      .map((text) => `the sentence "${text}" was never read with this value`),
    ...errors
      .filter(({ rule }) => rule === undefined)
      .map((error) => `the sentence "${error.detail}" is of no rule (contract/value-rules.ts): in other languages it stays English`),
  ];
}
