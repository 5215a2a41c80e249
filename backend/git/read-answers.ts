export interface FoundObject {
  readonly oid: string;
  readonly type: string;
  readonly size: number;
}

export interface ObjectAnswer {
  readonly found: FoundObject;
  /** Empty where nothing but what was found is printed. */
  readonly bytes: Uint8Array;
}

/**
 * The answers that `git cat-file --batch` (`withBytes`) or `--batch-check` prints, in the order of the questions: undefined
 * where there is no such object. Nothing is read before it is asked for. Ends where git does, also within an answer.
 */
export async function* readAnswers(output: AsyncIterable<Buffer>, withBytes: boolean): AsyncGenerator<ObjectAnswer | undefined> {
  const pieces = piecesOf(output);
  for (;;) {
    const line = await pieces.line();
    if (line === undefined) return;
    const [, oid, type, size] = /^([0-9a-f]{40,64}) (\w+) (\d+)$/.exec(line) ?? [];
    if (oid === undefined || type === undefined || size === undefined) yield undefined;
    else {
      const found = { oid, type, size: Number(size) };
      const bytes = withBytes ? await pieces.bytes(found.size) : new Uint8Array();
      // A line break ends them.
      if (bytes === undefined || (withBytes && (await pieces.bytes(1)) === undefined)) return;
      yield { found, bytes };
    }
  }
}

interface Pieces {
  /** Undefined where the output ends before. */
  line(): Promise<string | undefined>;
  bytes(size: number): Promise<Uint8Array | undefined>;
}

function piecesOf(output: AsyncIterable<Buffer>): Pieces {
  const iterator = output[Symbol.asyncIterator]();
  let chunks: Buffer[] = [];
  let length = 0;
  const more = async (): Promise<boolean> => {
    const next = await iterator.next();
    if (next.done === true) return false;
    chunks.push(next.value);
    length += next.value.length;
    return true;
  };
  const joined = () => {
    const all = chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks);
    chunks = [all];
    return all;
  };
  const drop = (all: Buffer, size: number) => {
    chunks = [all.subarray(size)];
    length = all.length - size;
  };
  return {
    async line() {
      for (;;) {
        const all = joined();
        const end = all.indexOf(10);
        if (end >= 0) {
          drop(all, end + 1);
          return all.subarray(0, end).toString('latin1');
        }
        if (!(await more())) return undefined;
      }
    },
    async bytes(size) {
      while (length < size) if (!(await more())) return undefined;
      const all = joined();
      drop(all, size);
      // A copy: the chunk may hold much more than this object.
      return Buffer.from(all.subarray(0, size));
    },
  };
}
