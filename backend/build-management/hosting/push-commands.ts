import type { Readable } from 'node:stream';
import { LIMITS } from '#contract/limits.ts';
import { Refusal } from '#backend/domain/errors.ts';

/** What a push asks of one reference, by its whole name. */
export interface PushCommand {
  readonly ref: string;
  readonly isDeletion: boolean;
}

/** What a git client sends before the objects of a push. */
export interface PushHead {
  /** All that was read, to be handed on. */
  readonly bytes: Buffer;
  /** Empty where the client only asks whether it may push, and where it went away. */
  readonly commands: readonly PushCommand[];
  readonly capabilities: ReadonlySet<string>;
  /** Whether there are more than are read. */
  readonly isTruncated: boolean;
}

/**
 * Reads the commands of a push (gitprotocol-pack: lines, each after its length in four hexadecimal digits, up to an empty one) and
 * leaves what follows in the stream. Refuses with REQUEST_MALFORMED what git would read otherwise, such as a signed push.
 */
export async function readPushHead(body: Readable): Promise<PushHead> {
  const commands: PushCommand[] = [];
  let capabilities: ReadonlySet<string> = new Set();
  let bytes = Buffer.alloc(0);
  let at = 0;
  for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes = Buffer.concat([bytes, chunk]);
    for (let line = lineAt(bytes, at); line !== undefined; line = lineAt(bytes, at)) {
      at = line.end;
      if (line.text === undefined) return { bytes, commands, capabilities, isTruncated: false };
      const [text = '', more] = line.text.split('\0');
      if (more !== undefined) capabilities = new Set(more.trim().split(' '));
      const command = commandOf(text);
      if (command !== undefined) commands.push(command);
    }
    if (bytes.length > LIMITS.pushedCommands) return { bytes, commands, capabilities, isTruncated: true };
  }
  return { bytes, commands: [], capabilities, isTruncated: false };
}

/** Undefined where it did not arrive in full; without a text the line that ends the commands. */
function lineAt(bytes: Buffer, at: number): { readonly text: string | undefined; readonly end: number } | undefined {
  if (bytes.length < at + 4) return undefined;
  const digits = bytes.subarray(at, at + 4).toString('latin1');
  const length = /^[0-9a-f]{4}$/i.test(digits) ? Number.parseInt(digits, 16) : 1;
  if (length === 0) return { text: undefined, end: at + 4 };
  if (length <= 4) throw malformed();
  return bytes.length < at + length ? undefined : { text: bytes.subarray(at + 4, at + length).toString(), end: at + length };
}

/** Undefined where the line names a commit that the client has without its parents. */
function commandOf(text: string): PushCommand | undefined {
  if (/^shallow [0-9a-f]+\n?$/.test(text)) return undefined;
  const [, after, ref] = /^[0-9a-f]{40,64} ([0-9a-f]{40,64}) ([^\n]+)\n?$/.exec(text) ?? [];
  if (after === undefined || ref === undefined) throw malformed();
  return { ref, isDeletion: /^0+$/.test(after) };
}

function malformed(): Refusal {
  return new Refusal('REQUEST_MALFORMED', 'This is not a push from a git client, or it is signed. Push without a signature (--no-signed).');
}
