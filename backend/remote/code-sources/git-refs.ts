/** Git's smart HTTP protocol, as far as one branch is asked for: https://git-scm.com/docs/protocol-v2. */

export const REFS_QUERY = 'service=git-upload-pack';
export const LS_REFS_TYPE = 'application/x-git-upload-pack-request';

/** Whether the answer to `info/refs` takes commands of version 2, which answer of one branch alone. */
export function speaksVersion2(advertised: Uint8Array): boolean {
  return lines(advertised).some((line) => line === 'version 2');
}

/** The body that asks for one branch. In: what `info/refs` answered. */
export function lsRefs(advertised: Uint8Array, branch: string): string {
  const format = lines(advertised).find((line) => line.startsWith('object-format='));
  const capabilities = format === undefined ? [] : [packet(`${format}\n`)];
  return [packet('command=ls-refs\n'), ...capabilities, '0001', packet(`ref-prefix refs/heads/${branch}\n`), '0000'].join('');
}

/** The commit of a branch among the lines of either version; undefined where it is not there. */
export function commitOf(answer: Uint8Array, branch: string): string | undefined {
  for (const line of lines(answer)) {
    const [, sha, name] = /^([0-9a-f]{40,64}) ([^\0]+)/.exec(line) ?? [];
    if (name === `refs/heads/${branch}`) return sha;
  }
  return undefined;
}

function packet(text: string): string {
  return `${(Buffer.byteLength(text) + 4).toString(16).padStart(4, '0')}${text}`;
}

/** Four hexadecimal digits give the length of each line, themselves included; less than four are marks. */
function lines(bytes: Uint8Array): string[] {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const found: string[] = [];
  for (let at = 0; at + 4 <= buffer.length;) {
    const length = Number.parseInt(buffer.toString('latin1', at, at + 4), 16);
    if (Number.isNaN(length)) break;
    if (length > 4) found.push(buffer.toString('utf8', at + 4, at + length).replace(/\n$/, ''));
    at += Math.max(length, 4);
  }
  return found;
}
