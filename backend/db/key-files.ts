import { randomUUID } from 'node:crypto';
import { link, mkdir, open, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { newSecretKeys, readSecretBox, type SecretBox } from '../secrets/secret-box.ts';
import { newSigningKeys, readSigningKeys, type SigningKeys } from '../sessions/signing-keys.ts';

/** The keys that seal secrets. A new one is put first in the file; what older ones sealed is resealed at the next start. */
export function openSecretBox(file: string): Promise<SecretBox> {
  return openKeyFile({ file, purpose: 'secret key', make: async () => newSecretKeys(), read: async (text) => readSecretBox(text) });
}

/** The keys that sign tokens. */
export function openSigningKeys(file: string): Promise<SigningKeys> {
  return openKeyFile({ file, purpose: 'signing key', make: newSigningKeys, read: readSigningKeys });
}

interface KeyFile<T> {
  readonly file: string;
  /** The purpose of the file, e.g. `signing key`. */
  readonly purpose: string;
  /** The text of a new file. */
  make(): Promise<string>;
  /** Throws a message without any key. */
  read(text: string): Promise<T>;
}

/** The keys of a file, which is created (mode 0600) if it is missing. Throws a message that names the file. */
async function openKeyFile<T>({ file, purpose, make, read }: KeyFile<T>): Promise<T> {
  const text = (await readExisting(file, purpose)) ?? (await createUnlessExists(file, purpose, await make()));
  try {
    return await read(text);
  } catch (error) {
    throw new Error(`The ${purpose} file ${file} cannot be used. ${error instanceof Error ? error.message : ''}`);
  }
}

async function readExisting(file: string, purpose: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return undefined;
    throw new Error(`The ${purpose} file ${file} cannot be read. Make it readable for the service.`, { cause: error });
  }
}

/** If two programs start at once, both use the file of the one that linked it first. */
async function createUnlessExists(file: string, purpose: string, text: string): Promise<string> {
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await makeKeyFile(file, text);
    return text;
  } catch (error) {
    if (isErrno(error, 'EEXIST')) return await readFile(file, 'utf8');
    throw new Error(`Could not create the ${purpose} file ${file}: ${whyNotWritten(error)}.`, { cause: error });
  }
}

/**
 * Creates a file (mode 0600) in an existing folder: complete and on disk, or not at all. Rejects with the system's error, EEXIST if there
 * is one.
 */
export async function makeKeyFile(file: string, text: string): Promise<void> {
  const draft = `${file}.${randomUUID()}`;
  try {
    await writeFile(draft, text, { mode: 0o600, flag: 'wx', flush: true });
    await link(draft, file);
    await flushed(dirname(file));
  } finally {
    await rm(draft, { force: true });
  }
}

/** Ends a sentence. Takes the system's error. */
export function whyNotWritten(error: unknown): string {
  for (const [why, codes] of Object.entries(REASONS)) if (codes.some((code) => isErrno(error, code))) return why;
  return error instanceof Error ? error.message : String(error);
}

const REASONS = {
  'it already exists': ['EEXIST'],
  'its folder does not exist': ['ENOENT', 'ENOTDIR'],
  'its folder cannot be written': ['EACCES', 'EPERM', 'EROFS'],
  'there is no space left': ['ENOSPC', 'EDQUOT', 'EFBIG'],
};

/** What a key sealed is soon on disk: its file must be there first. */
async function flushed(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  await handle.sync().finally(() => handle.close());
}

export function isErrno(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
