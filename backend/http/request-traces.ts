import type { Request, Response } from 'express';
import { ERRORS } from '@repoless/contract/errors.ts';
import type { Endpoint } from '@repoless/contract/endpoint.ts';
import { Refusal } from '../domain/errors.ts';
import { NO_TRACING } from '../tracing/tracing.ts';
import type { Facts, Tracing } from '../tracing/tracing.ts';
import { arrivalOf, noteTrace, requestIdOfResponse } from './request-log.ts';

interface TracedRequest {
  readonly row: Endpoint;
  readonly params: Readonly<Record<string, unknown>>;
  /** An authenticated request continues the caller's trace; any other starts a new one. */
  readonly isKnown: boolean;
}

/** What traces tell of the requests of a program. */
export interface RequestTraces {
  /** The rest of a request within its trace, which ends when the answer is out. */
  within<T>(request: Request, response: Response, traced: TracedRequest, work: () => Promise<T>): Promise<T>;
  /** The operation of a call, a part of its request. */
  operation<T>(row: Endpoint, work: () => Promise<T>): Promise<T>;
}

/**
 * Requests are named by method and path of the call, as the table has it, and operations by their ids. Nothing that callers write is
 * told but names of organizations and sites, and the request id: no path, query or header. `address`: where the program is reached.
 */
export function requestTraces(tracing: Tracing, address: string, rows: readonly [id: string, row: Endpoint][]): RequestTraces {
  if (tracing === NO_TRACING) return { within: (_request, _response, _traced, work) => work(), operation: (_, work) => work() };
  const own = serverFacts(address);
  const ids = new Map(rows.map(([id, row]) => [row, id]));
  return {
    within(request, response, { row, params, isKnown }, work) {
      const { method } = request;
      const [traceparent] = [request.headers['traceparent']].flat();
      const call = { 'http.request.method': method, 'http.route': row.path, 'repoless.request_id': requestIdOfResponse(response) };
      const facts = { ...own, ...call, ...placeFacts(params) };
      const trace = tracing.arrived({ name: `${method} ${row.path}`, facts, began: arrivalOf(response), traceparent, isKnown });
      if (trace === undefined) return work();
      noteTrace(response, trace.ids);
      response.once('close', () => trace.end(answerFacts(response)));
      return trace.run(work);
    },
    operation(row, work) {
      return tracing.part({ name: ids.get(row) ?? row.path, kind: 'internal', facts: {}, answered }, work);
    },
  };
}

function serverFacts(address: string): Facts {
  const { hostname, port, protocol } = new URL(address);
  const scheme = protocol.slice(0, -1);
  return { 'url.scheme': scheme, 'server.address': hostname, 'server.port': Number(port || (scheme === 'https' ? 443 : 80)) };
}

/** Names of organizations and sites are in every address, and are what a trace is looked for by. */
function placeFacts({ org, site }: Readonly<Record<string, unknown>>): Facts {
  return { ...(typeof org === 'string' && { 'repoless.org': org }), ...(typeof site === 'string' && { 'repoless.site': site }) };
}

function answerFacts(response: Response): Facts {
  const { statusCode } = response;
  const code = response.getHeader('x-error-code');
  const refused = typeof code === 'string' && { 'repoless.error_code': code };
  const failed = statusCode >= 500 && { 'error.type': typeof code === 'string' ? code : String(statusCode) };
  return { 'http.response.status_code': statusCode, ...refused, ...failed };
}

/** A refusal is an answer. */
function answered(error: unknown): Facts | undefined {
  return error instanceof Refusal && ERRORS[error.code].status < 500 ? { 'repoless.error_code': error.code } : undefined;
}
