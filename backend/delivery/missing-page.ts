import type { CodeFile } from '../code/rules/ports.ts';
import type { ReadyAnswer } from './site-answers.ts';

/** The refusal of a page that is not there, with the page of the code for it in the place of the problem document. */
export async function missingPage(refusal: ReadyAnswer, file: CodeFile, method: string | undefined): Promise<ReadyAnswer> {
  const found = method === 'HEAD' || file.size === 0 ? new Uint8Array() : await file.read();
  const headers = ['content-type', 'text/html; charset=utf-8', 'content-length', String(file.size)];
  for (let index = 0; index < refusal.headers.length; index += 2) {
    const [name = '', value = ''] = refusal.headers.slice(index, index + 2);
    if (!headers.includes(name)) headers.push(name, value);
  }
  if (found instanceof Uint8Array) return { status: 404, headers, bytes: found };
  return { status: 404, headers, bytes: new Uint8Array(), stream: { length: file.size, pieces: found } };
}
