import { calculateJwkThumbprint } from 'jose';
import { randomUUID } from 'node:crypto';
import { chown, link, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import type { Settings } from '../config.ts';
import { makeKeyFile, whyNotWritten } from '../db/key-files.ts';
import { newSecretKeys, readSecretBox } from '../secrets/secret-box.ts';
import { newSigningKeys, readSigningKeys } from '../sessions/signing-keys.ts';
import { syncToDisk } from './backup.ts';
import { UsageError } from './database-state.ts';

/** The content of one kind of key file. A key is a secret: only its name is ever printed. */
interface Kind {
  readonly setting: 'SIGNING_KEY_FILE' | 'SECRET_KEY_FILE';
  readonly does: string;
  make(): Promise<string>;
  /** Throws a message if the text is not such a file. */
  check(text: string): Promise<unknown>;
  nameOf(key: Key): Promise<string>;
}

const Key = z.looseObject({
  id: z.string().optional(),
  kty: z.literal('EC').optional(),
  crv: z.string().optional(),
  x: z.string().optional(),
  y: z.string().optional(),
});
type Key = z.infer<typeof Key>;
const KeyFile = z.object({ keys: z.array(Key) });

const KINDS: Readonly<Record<string, Kind>> = {
  signing: {
    setting: 'SIGNING_KEY_FILE',
    does: 'signs',
    make: newSigningKeys,
    check: readSigningKeys,
    nameOf: ({ kty = 'EC', crv = '', x = '', y = '' }) => calculateJwkThumbprint({ kty, crv, x, y }),
  },
  secret: {
    setting: 'SECRET_KEY_FILE',
    does: 'seals',
    make: async () => newSecretKeys(),
    check: async (text) => readSecretBox(text),
    nameOf: async ({ id = '' }) => id,
  },
};

interface Named {
  readonly name: string;
  readonly key: Key;
}

/**
 * `keys <signing|secret> make | list | add [--last] | use <key> | remove <key> | put-back <file>`: the service reads the file at its next
 * start. A removed key is kept next to the file, because something that it sealed may still exist, at least in a backup.
 */
export async function keys([kindName = '', action = '', ...args]: readonly string[], settings: Settings): Promise<number> {
  const kind = Object.hasOwn(KINDS, kindName) ? KINDS[kindName] : undefined;
  if (kind === undefined) throw new UsageError('Specify the kind of key: keys signing …, or keys secret ….');
  const file = settings[kind.setting];
  if (action === 'make' && args.length === 0) return make(kind, file);
  const before = await read(kind, file, `Set ${kind.setting}, or DATA_DIR, to the value that the service uses.`);
  const after = await changed(kind, before, action, args);
  const removed = before.filter((one) => !after.includes(one));
  const removedFile = removed.length === 0 ? undefined : `${file}.removed-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`;
  if (removedFile !== undefined) await write(file, removed, removedFile);
  if (after !== before) {
    await kind.check(textOf(after));
    await write(file, after, file);
  }
  for (const [index, { name }] of after.entries()) process.stdout.write(`${name}${index === 0 ? ` ${kind.does}` : ''}\n`);
  if (removedFile !== undefined)
    process.stdout.write(`The key is kept in ${removedFile}. To add it again, run keys ${kindName} put-back <that file>.\n`);
  if (after !== before) process.stdout.write('Restart the service on each node that uses the file.\n');
  return 0;
}

/** A file for nodes that only read it. An existing file is left alone. */
async function make(kind: Kind, file: string): Promise<number> {
  const text = await kind.make();
  await makeKeyFile(file, text).catch((cause: unknown) => {
    throw new Error(`Could not create the file ${file}: ${whyNotWritten(cause)}.`, { cause });
  });
  for (const { name } of await named(kind, text)) process.stdout.write(`${name} ${kind.does}\n`);
  return 0;
}

async function changed(kind: Kind, before: readonly Named[], action: string, args: readonly string[]): Promise<readonly Named[]> {
  const [arg, ...more] = args;
  if (action === 'list' && arg === undefined) return before;
  if (action === 'add' && (arg === undefined || arg === '--last') && more.length === 0) {
    const generated = await named(kind, await kind.make());
    return arg === undefined ? [...generated, ...before] : [...before, ...generated];
  }
  if (!['use', 'remove', 'put-back'].includes(action) || arg === undefined || more.length > 0)
    throw new UsageError('Specify what to do: make, list, add, add --last, use <key>, remove <key>, or put-back <file>.');
  if (action === 'put-back') return [...before, ...(await missing(kind, before, arg))];
  const found = before.find(({ name }) => name === arg);
  if (found === undefined) throw new Error(`The file has no key "${arg}". Its keys: ${before.map(({ name }) => name).join(', ')}.`);
  const others = before.filter((one) => one !== found);
  if (action === 'use') return found === before[0] ? before : [found, ...others];
  if (found === before[0]) throw new Error(`The key "${arg}" ${kind.does}. Use another one first: keys … use <key>.`);
  return others;
}

async function missing(kind: Kind, before: readonly Named[], file: string): Promise<readonly Named[]> {
  const found = await read(kind, file, 'Specify the file in which the removed key was kept.');
  const others = found.filter(({ name }) => before.every((one) => one.name !== name));
  if (others.length === 0) throw new Error(`Every key of ${file} is already in the file.`);
  return others;
}

/** `advice`: added to the message if the file is missing. */
async function read(kind: Kind, file: string, advice: string): Promise<readonly Named[]> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new Error(`The file ${file} cannot be read. ${advice}`, { cause });
  });
  await kind.check(text).catch((cause: unknown) => {
    throw new Error(`The file ${file} cannot be used. ${cause instanceof Error ? cause.message : ''}`);
  });
  return named(kind, text);
}

async function named(kind: Kind, text: string): Promise<Named[]> {
  return Promise.all(KeyFile.parse(JSON.parse(text)).keys.map(async (key) => ({ name: await kind.nameOf(key), key })));
}

function textOf(keys: readonly Named[]): string {
  return `${JSON.stringify({ keys: keys.map(({ key }) => key) }, null, 2)}\n`;
}

/** Writes keys of a file to a location next to it or to the file itself, atomically; the owner does not change. */
async function write(file: string, keys: readonly Named[], target: string): Promise<void> {
  const temporary = `${target}.${randomUUID()}`;
  try {
    await writeFile(temporary, textOf(keys), { mode: 0o600, flag: 'wx' });
    const { uid, gid } = await stat(file);
    await chown(temporary, uid, gid);
    await syncToDisk(temporary);
    // Only the file itself may be replaced.
    await (target === file ? rename(temporary, target) : link(temporary, target));
    await syncToDisk(dirname(target));
  } catch (cause) {
    throw new Error(`The file ${target} cannot be written: ${whyNotWritten(cause)}. The keys stay as they were.`, { cause });
  } finally {
    await rm(temporary, { force: true });
  }
}
