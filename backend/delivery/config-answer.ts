import { contentAnswer, LARGE } from './site-answers.ts';
import type { ReadyAnswer } from './site-answers.ts';

/** What the hosts answer for `/config.json` of a site that has a public part (docs/contract.md 6.2). */
export function configAnswer({ json, etag }: { readonly json: string; readonly etag: string }): ReadyAnswer {
  return contentAnswer('application/json', asciiOrBytes(json), etag);
}

function asciiOrBytes(text: string): string | Uint8Array {
  const bytes = Buffer.from(text);
  return bytes.length === text.length && bytes.length <= LARGE ? text : bytes;
}
