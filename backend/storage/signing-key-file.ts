import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { newSigningKeys, readSigningKeys } from '#backend/domain/sessions/signing-keys.ts';
import type { SigningKeys } from '#backend/domain/sessions/signing-keys.ts';

/** The signing keys of a file, which is made (mode 0600) where there is none. Throws a sentence that names the file. */
export async function openSigningKeys(file: string): Promise<SigningKeys> {
  const text = (await readExisting(file)) ?? (await makeFile(file));
  try {
    return await readSigningKeys(text);
  } catch (error) {
    throw new Error(`The signing key file ${file} cannot be used. ${error instanceof Error ? error.message : ''}`);
  }
}

async function readExisting(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return undefined;
    throw new Error(`The signing key file ${file} cannot be read. Make it readable for the service.`, { cause: error });
  }
}

/** Of two programs that start at once, both use the file of the one that linked it first. */
async function makeFile(file: string): Promise<string> {
  const text = await newSigningKeys();
  const draft = `${file}.${randomUUID()}`;
  await mkdir(dirname(file), { recursive: true });
  await writeFile(draft, text, { mode: 0o600, flag: 'wx' });
  try {
    await link(draft, file);
    return text;
  } catch (error) {
    if (!isErrno(error, 'EEXIST')) throw error;
    return await readFile(file, 'utf8');
  } finally {
    await rm(draft, { force: true });
  }
}

function isErrno(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
