import { Agent, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { Call } from './load/load.ts';

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Sends one call to a port of the loopback interface, with any Host header. */
export type Ask = (port: number, call: Call) => Promise<Answer>;

/** Creates a client with its own keep-alive connections. */
export function createFetchHosted(): Ask {
  const agent = new Agent({ keepAlive: true });
  return async (port, call) => {
    const length = call.body === undefined ? {} : { 'content-length': Buffer.byteLength(call.body) };
    const headers = { ...call.headers, ...length, host: call.host };
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      request({ agent, host: '127.0.0.1', port, method: call.method, path: call.path, headers }, resolve)
        .once('error', reject)
        .end(call.body);
    });
    return { status: response.statusCode ?? 0, headers: response.headers, body: await buffer(response) };
  };
}

/** Returns a successful answer; throws an error that names the refusal otherwise. */
export async function askOrFail(ask: Ask, port: number, call: Call): Promise<Answer> {
  const answer = await ask(port, call);
  if (answer.status < 400) return answer;
  const reason = answer.headers['x-error'] ?? answer.body.toString().slice(0, 500);
  throw new Error(`${call.method} ${call.host}${call.path} was answered with ${answer.status}: ${String(reason)}`);
}
