import type { ServerResponse } from 'node:http';
import type { PushHead } from './push-commands.ts';

/**
 * Answers a push as git does where it takes none of its references: the client shows the sentence, and the reason beside each
 * reference. The answer is left open.
 */
export function refusePush(response: ServerResponse, { commands, capabilities }: PushHead, sentence: string, reason: string): void {
  response.setHeader('content-type', 'application/x-git-receive-pack-result');
  const reports = capabilities.has('report-status') || capabilities.has('report-status-v2');
  const report = reports ? [...['unpack ok', ...commands.map(({ ref }) => `ng ${ref} ${reason}`)].map((one) => line(`${one}\n`)), END] : [];
  if (!capabilities.has('side-band-64k')) return void response.write(Buffer.concat(report));
  response.write(line(`\u0002${sentence}\n`));
  const bytes = Buffer.concat(report);
  for (let at = 0; at < bytes.length; at += BAND) response.write(line(Buffer.concat([FIRST, bytes.subarray(at, at + BAND)])));
  response.write(END);
}

function line(text: string | Buffer): Buffer {
  const bytes = Buffer.from(text);
  return Buffer.concat([Buffer.from((bytes.length + 4).toString(16).padStart(4, '0')), bytes]);
}

const END = Buffer.from('0000');
/** The band of the report; the second is that of sentences. */
const FIRST = Buffer.from([1]);
/** Bytes of a piece; a line has 65,520 at most. */
const BAND = 65_000;
