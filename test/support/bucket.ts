import { SealedValue } from '@repoless/contract/secret.ts';
import type { BucketOptions } from '@repoless/service/code/object-storage/bucket.ts';
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A server with one bucket that implements as much of S3 as the service needs, and fails as servers do. */
export interface TestBucket {
  /** Its objects by key. */
  readonly objects: ReadonlyMap<string, { readonly body: Buffer }>;
  readonly options: BucketOptions;
  put(key: string, text: string): void;
  /** Carries out the next `count` writes and removals below this key, but closes the connection instead of answering. */
  loseAnswers(below: string, count: number): void;
  /** Limits each page of a list to so many objects, however many are requested. Deleted ones count but are not listed. */
  listAtMost(count: number): void;
  /** Pages announce further pages without the token to request them. */
  hideTokens(): void;
  /** Answers 501 to conditional requests of this method. */
  refuseConditions(method: 'PUT' | 'DELETE'): void;
  stop(): Promise<void>;
}

interface Stored {
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

export async function startBucket(): Promise<TestBucket> {
  const objects = new Map<string, Stored>();
  const deleted = new Set<string>();
  const withoutConditions = new Set<string>();
  const lost = { below: '', count: 0 };
  let [atMost, hidesTokens] = [1000, false];

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://bucket');
    const key = decodeURIComponent(pathname).replace(/^\/bucket\/?/, '');
    const body = await buffer(request);
    if (key === '') return void response.end(list(searchParams));
    const there = objects.get(key);
    const { 'if-match': over, 'if-none-match': unless } = request.headers;
    const isConditional = over !== undefined || unless !== undefined;
    const { method = '' } = request;
    if (isConditional && withoutConditions.has(method)) return refuse(response, 501, 'NotImplemented');
    if (over !== undefined && there === undefined) return refuse(response, 404, 'NoSuchKey');
    if ((over !== undefined && over !== tagOf(there)) || (unless === '*' && there !== undefined))
      return refuse(response, 412, 'PreconditionFailed');
    if (method === 'GET' || method === 'HEAD') {
      if (there === undefined) return refuse(response, 404, 'NoSuchKey');
      const headers = { ...there.headers, etag: tagOf(there), 'content-length': there.body.length };
      return void response.writeHead(200, headers).end(method === 'HEAD' ? undefined : there.body);
    }
    if (method === 'PUT') objects.set(key, { body, headers: storedHeadersOf(request) });
    else if (objects.delete(key)) deleted.add(key);
    if (lost.count > 0 && key.startsWith(lost.below)) {
      lost.count -= 1;
      return void request.socket.destroy();
    }
    response.writeHead(method === 'PUT' ? 200 : 204, method === 'PUT' ? { etag: tagOf(objects.get(key)) } : {}).end();
  }

  function list(asked: URLSearchParams): string {
    const after = asked.get('continuation-token') ?? asked.get('start-after') ?? '';
    const known = [...new Set([...objects.keys(), ...deleted])];
    const keys = known.filter((key) => key.startsWith(asked.get('prefix') ?? '') && key > after).toSorted();
    const page = keys.slice(0, Math.min(Number(asked.get('max-keys') ?? 1000), atMost));
    const isTruncated = page.length < keys.length;
    const further = isTruncated && !hidesTokens ? `<NextContinuationToken>${page.at(-1) ?? after}</NextContinuationToken>` : '';
    const shown = page.filter((key) => objects.has(key));
    const contents = shown.map((key) => `<Contents><Key>${key}</Key></Contents>`).join('');
    return `<?xml version="1.0"?><ListBucketResult><IsTruncated>${isTruncated}</IsTruncated>${further}${contents}</ListBucketResult>`;
  }

  const server = createServer((request, response) => void answer(request, response).catch(() => request.socket.destroy()));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const [region, key, secret] = ['us-east-1', 'test-access-key', 'a-secret-that-no-log-may-hold'];
  return {
    objects,
    options: {
      bucket: 'bucket',
      prefix: '',
      region,
      endpoint,
      pathStyle: true,
      credential: { accessKeyId: key, secretAccessKey: new SealedValue(secret) },
    },
    put: (at, text) => void objects.set(at, { body: Buffer.from(text), headers: {} }),
    loseAnswers: (below, count) => void Object.assign(lost, { below, count }),
    listAtMost: (count) => void (atMost = count),
    hideTokens: () => void (hidesTokens = true),
    refuseConditions: (method) => void withoutConditions.add(method),
    stop() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function tagOf(stored: Stored | undefined): string {
  return stored === undefined ? '' : `"${createHash('md5').update(stored.body).digest('hex')}"`;
}

/** The headers that a server stores with an object. */
function storedHeadersOf({ headers }: IncomingMessage): Record<string, string> {
  const kept = Object.entries(headers).filter(([name]) => /^(?:content-type|cache-control|x-amz-meta-.*)$/.test(name));
  return Object.fromEntries(kept.map(([name, value]) => [name, String(value)]));
}

function refuse(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status, { 'content-type': 'application/xml' }).end(`<Error><Code>${code}</Code></Error>`);
}
