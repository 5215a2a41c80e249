/** One request of a load. `COUNTER` in its path or body becomes another number of twelve digits each time it is sent. */
export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly host: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** As long as the number in its place, so that a content length holds for all; valid within JSON and base64-sized. */
export const COUNTER = '@@@@@@@@@@@@';

export function printCounter(count: number): string {
  return String(count).padStart(COUNTER.length, '0');
}

/** The request as it goes over the wire (HTTP/1.1). */
export function printCall(call: Call): string {
  const headers = Object.entries(call.headers ?? {}).map(([name, value]) => `${name}: ${value}\r\n`);
  const length = call.body === undefined ? '' : `content-length: ${Buffer.byteLength(call.body)}\r\n`;
  return `${call.method} ${call.path} HTTP/1.1\r\nhost: ${call.host}\r\n${headers.join('')}${length}\r\n${call.body ?? ''}`;
}
