import type { QueryConfig } from 'pg';
import { confirmationChannel, confirmationPayload } from './marks.ts';
import type { Mark } from './marks.ts';

interface ConfirmerOptions {
  /** This node. */
  readonly node: string;
  ask(question: QueryConfig): Promise<unknown>;
  failed(error: unknown): void;
}

/** Tells those who wrote that this node has heard of it: all that it heard during one answer with the next. */
export function createConfirmer({ node, ask, failed }: ConfirmerOptions): (mark: Mark) => void {
  const heard = new Map<string, number[]>();
  let telling = false;

  async function tell(): Promise<void> {
    telling = true;
    while (heard.size > 0) {
      const told = [...heard].flatMap(([writer, numbers]) => inPieces(numbers).map((piece) => ({ writer, piece })));
      heard.clear();
      const channels = told.map(({ writer }) => confirmationChannel(writer));
      await ask({ ...TELL, values: [channels, told.map(({ piece }) => confirmationPayload(node, piece))] });
    }
    telling = false;
  }

  return ({ node: writer, number }) => {
    heard.set(writer, [...(heard.get(writer) ?? []), number]);
    if (!telling) tell().catch(failed);
  };
}

/** A payload has less than 8,000 bytes, and a node that hung for long has much to confirm. */
function inPieces(numbers: readonly number[]): number[][] {
  return Array.from({ length: Math.ceil(numbers.length / PIECE) }, (_, index) => numbers.slice(index * PIECE, (index + 1) * PIECE));
}

const PIECE = 400;
const TELL = {
  name: 'confirm',
  text: 'select pg_notify(channel, payload) from unnest($1::text[], $2::text[]) as told(channel, payload)',
};
