import type { ChildProcessByStdio } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import type { FoundObject } from './objects.ts';

export interface ObjectAnswer {
  readonly found: FoundObject;
  /** Empty for a stream that only looks up. */
  readonly bytes: Uint8Array;
}

/** A process of `git cat-file --batch` or `--batch-check`: questions and answers in the same order. */
export interface ObjectStream {
  /** Undefined where there is no such object. Rejects where git ended. */
  ask(name: string): Promise<ObjectAnswer | undefined>;
}

interface Waiting {
  resolve(answer: ObjectAnswer | undefined): void;
  reject(error: Error): void;
}

export function readObjectStream(child: ChildProcessByStdio<Writable, Readable, Readable>, withBytes: boolean): ObjectStream {
  const waiting: Waiting[] = [];
  let ended: Error | undefined;
  let chunks: Buffer[] = [];
  let length = 0;
  /** The answer whose bytes are awaited. */
  let head: FoundObject | undefined;

  const fail = () => {
    ended ??= new Error('The git program ended while objects were read.');
    for (const one of waiting.splice(0)) one.reject(ended);
  };
  const joined = () => {
    const all = chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks);
    chunks = [all];
    return all;
  };
  const drop = (all: Buffer, size: number) => {
    chunks = [all.subarray(size)];
    length -= size;
  };
  const takeHead = (): boolean => {
    const all = joined();
    const end = all.indexOf(10);
    if (end < 0) return false;
    const [, oid, type, size] = /^([0-9a-f]{40,64}) (\w+) (\d+)$/.exec(all.subarray(0, end).toString()) ?? [];
    drop(all, end + 1);
    if (oid === undefined || type === undefined || size === undefined) waiting.shift()?.resolve(undefined);
    else if (withBytes) head = { oid, type, size: Number(size) };
    else waiting.shift()?.resolve({ found: { oid, type, size: Number(size) }, bytes: new Uint8Array() });
    return true;
  };
  const takeBytes = (found: FoundObject): boolean => {
    if (length < found.size + 1) return false;
    const all = joined();
    // A copy: the chunk may hold much more than this object.
    const bytes = Buffer.from(all.subarray(0, found.size));
    drop(all, found.size + 1);
    head = undefined;
    waiting.shift()?.resolve({ found, bytes });
    return true;
  };

  child.stdout.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    length += chunk.length;
    while (length > 0 && (head === undefined ? takeHead() : takeBytes(head)));
  });
  child.stdin.on('error', fail);
  child.once('error', fail);
  child.once('close', fail);
  return {
    ask: (name) =>
      new Promise((resolve, reject) => {
        if (ended !== undefined) return reject(ended);
        waiting.push({ resolve, reject });
        child.stdin.write(`${name}\n`);
      }),
  };
}
