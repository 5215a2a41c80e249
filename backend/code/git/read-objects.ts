import { once } from 'node:events';
import { startGit } from './run-git.ts';
import type { GitCall } from './run-git.ts';

/** The bytes of objects by one process of git. In: names of objects; they are handed over in this order. */
export async function readObjects(
  call: Omit<GitCall, 'command'>,
  oids: readonly string[],
  take: (oid: string, bytes: Uint8Array) => Promise<void>,
): Promise<void> {
  const git = startGit({ ...call, command: ['cat-file', '--batch'] });
  const { stdin, stdout } = git.child;
  const write = async () => {
    for (const oid of oids) if (!stdin.write(`${oid}\n`)) await once(stdin, 'drain', { signal: call.signal });
    stdin.end();
  };
  // Writing ends early where git does; how it ended says why.
  const written = write().catch(() => undefined);
  const pieces = reader(stdout);
  for (const oid of oids) {
    const [name, type, size = ''] = (await pieces.line()).split(' ');
    if (name !== oid || type !== 'blob') break;
    await take(oid, await pieces.bytes(Number(size)));
    await pieces.bytes(1);
  }
  stdout.resume();
  await Promise.all([written, git.ended]);
}

function reader(stream: AsyncIterable<Buffer>): { line(): Promise<string>; bytes(size: number): Promise<Buffer> } {
  const iterator = stream[Symbol.asyncIterator]();
  let chunks: Buffer[] = [];
  let length = 0;
  const more = async () => {
    const next = await iterator.next();
    if (next.done === true) throw new Error('The output of git ended early.');
    chunks.push(next.value);
    length += next.value.length;
  };
  const joined = () => {
    const all = chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks);
    chunks = [all];
    return all;
  };
  const taken = (all: Buffer, size: number, rest = size) => {
    chunks = [all.subarray(rest)];
    length = all.length - rest;
    return all.subarray(0, size);
  };
  return {
    async line() {
      for (;;) {
        const all = joined();
        const end = all.indexOf(10);
        if (end >= 0) return taken(all, end, end + 1).toString('latin1');
        await more();
      }
    },
    async bytes(size) {
      while (length < size) await more();
      return taken(joined(), size);
    },
  };
}
