import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';

/** The faults that tests and the console can inject into a stand-in. */
export const FaultMode = z.enum([
  'none',
  'down',
  'unavailable',
  'slow',
  'forbidden',
  'unauthorized',
  'limited',
  'alternatives',
  'redirect',
]);
export type FaultMode = z.infer<typeof FaultMode>;

const Fault = z.strictObject({
  mode: FaultMode,
  /** `slow`: milliseconds before the answer. */
  delay: z.number().int().min(0).max(600_000).default(60_000),
  /** `redirect`: the target. */
  location: z.string().default('http://169.254.169.254/latest/meta-data/'),
  /** Only requests whose path starts with this. */
  path: z.string().startsWith('/').default('/'),
  /** Ends the fault after this many requests; without it, the fault stays. */
  times: z.number().int().positive().optional(),
});
type Fault = z.infer<typeof Fault>;

const FAULTS_PATH = '/sandbox/faults';
const BODY_LIMIT = 10_000;

export interface Faults {
  /** True if the request was answered here, by a fault or because it sets one; otherwise calls `next`, after a delay if slow. */
  handle(request: IncomingMessage, response: ServerResponse, next: () => void): void;
  /** Ends delayed requests. */
  stop(): void;
}

/** `POST /sandbox/faults {mode}` needs no token from this machine; GET returns the mode. */
export function faultSwitch(): Faults {
  let fault: Fault = Fault.parse({ mode: 'none' });
  const delayed = new Set<NodeJS.Timeout>();
  const takeFault = (path: string): Fault | undefined => {
    if (fault.mode === 'none' || !path.startsWith(fault.path)) return undefined;
    const taken = fault;
    if (fault.times !== undefined) fault = fault.times > 1 ? { ...fault, times: fault.times - 1 } : Fault.parse({ mode: 'none' });
    return taken;
  };
  const setFault = async (request: IncomingMessage, response: ServerResponse) => {
    if (request.method === 'POST') {
      const parsed = Fault.safeParse(await jsonBody(request));
      if (!parsed.success) return void sendJson(response, 400, { error: `Send {"mode": one of ${FaultMode.options.join(', ')}}.` });
      fault = parsed.data;
    }
    sendJson(response, 200, fault);
  };
  return {
    handle(request, response, next) {
      const path = (request.url ?? '/').split('?')[0] ?? '/';
      if (path === FAULTS_PATH) {
        void (isLoopback(request) ? setFault(request, response) : sendJson(response, 403, { error: 'Only from this machine.' }));
        return;
      }
      const taken = takeFault(path);
      if (taken?.mode !== 'slow') return answerFault(taken, request, response, next);
      const timer = setTimeout(() => {
        delayed.delete(timer);
        if (!response.destroyed) next();
      }, taken.delay);
      delayed.add(timer);
    },
    stop() {
      for (const timer of delayed) clearTimeout(timer);
      delayed.clear();
    },
  };
}

function answerFault(fault: Fault | undefined, request: IncomingMessage, response: ServerResponse, next: () => void): void {
  switch (fault?.mode) {
    case 'down':
      request.socket.destroy();
      return;
    case 'unavailable':
      sendText(response, 503, 'Service Unavailable');
      return;
    case 'forbidden':
      sendText(response, 403, 'Forbidden');
      return;
    case 'unauthorized':
      sendText(response, 401, 'Unauthorized');
      return;
    case 'limited':
      response.setHeader('retry-after', '1');
      sendText(response, 429, 'Too Many Requests');
      return;
    case 'alternatives':
      if (!/\.json(\?|$)/.test(request.url ?? '')) return next();
      sendJson(response, 300, [`${(request.url ?? '').replace(/(\.(\d+|infinity))?\.json.*$/, '')}.0.json`]);
      return;
    case 'redirect':
      response.writeHead(302, { location: fault.location }).end();
      return;
    case 'slow':
    case 'none':
    case undefined:
      next();
      return;
    default:
      fault?.mode satisfies undefined;
  }
}

function isLoopback(request: IncomingMessage): boolean {
  return ['127.0.0.1', '::1', '::ffff:127.0.0.1'].includes(request.socket.remoteAddress ?? '');
}

async function jsonBody(request: IncomingMessage): Promise<unknown> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) {
    text += String(chunk);
    if (text.length > BODY_LIMIT) return undefined;
  }
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(`${JSON.stringify(body, null, 2)}\n`);
}

function sendText(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(`${text}\n`);
}
