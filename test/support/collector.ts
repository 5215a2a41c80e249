import type { Running } from '@repoless/sandbox/web.ts';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { z } from 'zod';
import { listen } from './listen.ts';

const Value = z.union([
  z.object({ stringValue: z.string() }).transform(({ stringValue }) => stringValue),
  z.object({ intValue: z.union([z.number(), z.string()]) }).transform(({ intValue }) => Number(intValue)),
  z.object({ doubleValue: z.number() }).transform(({ doubleValue }) => doubleValue),
]);
const Attributes = z
  .array(z.object({ key: z.string(), value: Value }))
  .transform((all) => Object.fromEntries(all.map(({ key, value }) => [key, value])));
const Span = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  name: z.string(),
  kind: z.number(),
  startTimeUnixNano: z.string(),
  endTimeUnixNano: z.string(),
  attributes: Attributes,
  links: z.array(z.object({ traceId: z.string(), spanId: z.string() })).default([]),
  status: z.object({ code: z.number().default(0), message: z.string().optional() }),
});
const Traces = z.object({
  resourceSpans: z.array(
    z.object({ resource: z.object({ attributes: Attributes }), scopeSpans: z.array(z.object({ spans: z.array(Span) })) }),
  ),
});

/** `service`: the program that sent it. */
export type CollectedSpan = z.output<typeof Span> & { readonly service: unknown };

/** An OpenTelemetry collector that accepts traces as JSON over HTTP. */
export interface Collector extends Running {
  readonly spans: readonly CollectedSpan[];
  /** The received posts, unparsed. */
  readonly posts: readonly { readonly headers: IncomingHttpHeaders; readonly body: Buffer }[];
  /** Makes it accept traces, never answer, or refuse them. */
  behave(how: 'takes' | 'hangs' | 'refuses'): void;
}

export async function startCollector(): Promise<Collector> {
  const spans: CollectedSpan[] = [];
  const posts: { headers: IncomingHttpHeaders; body: Buffer }[] = [];
  let behavior = 'takes';
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks);
      posts.push({ headers: request.headers, body });
      if (behavior === 'hangs') return;
      if (behavior === 'refuses')
        return void response.writeHead(400, { 'content-type': 'application/json' }).end('{"message":"not today"}');
      if (request.headers['content-type'] === 'application/json') spans.push(...read(body));
      response.writeHead(200, { 'content-type': request.headers['content-type'] }).end('{}');
    });
  });
  const listening = await listen(server);
  return {
    ...listening,
    spans,
    posts,
    behave: (how) => void (behavior = how),
  };
}

function read(body: Buffer): CollectedSpan[] {
  const { resourceSpans } = Traces.parse(JSON.parse(body.toString('utf8')));
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap((scope) => scope.spans.map((span) => ({ ...span, service: resource.attributes['service.name'] }))),
  );
}
