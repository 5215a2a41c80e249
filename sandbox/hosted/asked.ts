import type { IncomingHttpHeaders } from 'node:http';

/** H5: the present addresses; H6: those of the successor. */
export type Generation = 'H5' | 'H6';

export interface Asked {
  readonly generation: Generation;
  readonly method: string;
  /** In the form of H5. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly text?: string;
}

/** A response without a body: only `x-error` has the reason. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string | undefined;
  constructor(status: number, message = '', code?: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** The JSON of a body. A content type other than JSON is parsed as a form, which has none of the expected properties. */
export function bodyOf({ headers, body }: Asked): unknown {
  const media = String(headers['content-type'] ?? '').split(';')[0] ?? '';
  if (!/^application\/(?:[\w.-]+\+)?json$/.test(media)) return Object.fromEntries(new URLSearchParams(body.toString()));
  try {
    return JSON.parse(body.toString()) as unknown;
  } catch {
    throw new Refusal(400, 'error parsing request body');
  }
}

export function isWrite(method: string): boolean {
  return ['PUT', 'POST', 'DELETE', 'PATCH'].includes(method);
}
