import { request, type Agent } from 'node:http';

export interface TestRequest {
  readonly method?: string;
  /** The host to connect to, if not that of the address. */
  readonly host?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Strings are sent unchanged, everything else as JSON. */
  readonly body?: unknown;
  /** Sends the body in chunks, so that its length is not announced. */
  readonly chunked?: boolean;
  /** Reuses connections; without it each request opens its own. */
  readonly agent?: Agent;
}

export interface TestAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly text: string;
  json(): unknown;
}

/** Sends one request to a program on this machine, with any method, Host and headers; no library adds or hides any. */
export function ask(address: string, path: string, asked: TestRequest = {}): Promise<TestAnswer> {
  const url = new URL(address);
  const { method = 'GET', host = url.host, body, chunked = false, agent = false } = asked;
  const sent = body === undefined || typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body);
  const json = body !== undefined && sent !== body ? { 'content-type': 'application/json' } : {};
  const length = sent === undefined || chunked ? {} : { 'content-length': String(Buffer.byteLength(sent)) };
  const headers = { host, ...json, ...length, ...asked.headers };
  return new Promise((resolve, reject) => {
    const outgoing = request({ hostname: '127.0.0.1', port: url.port, path, method, headers, agent }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('error', reject);
      incoming.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        resolve({ status: incoming.statusCode ?? 0, headers: flat(incoming.headers), text, json: (): unknown => JSON.parse(text) });
      });
    });
    outgoing.on('error', reject);
    if (sent !== undefined) outgoing.write(sent);
    outgoing.end();
  });
}

function flat(headers: NodeJS.Dict<string | string[]>): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]));
}
