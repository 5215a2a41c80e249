import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A place that was looked at, and all that is there. */
export interface Place {
  readonly name: string;
  readonly bytes: Buffer;
}

/** Values that shall be found in few places. Letters and digits stay what they are in an address and in JSON; Base64 and hexadecimal are looked for, too. */
export function plantedValues() {
  const planted = new Map<string, readonly Buffer[]>();
  return {
    /** A value of a test's own, to be found again by its name. */
    plant(name: string): string {
      const value = `x${randomBytes(20).toString('hex')}`;
      planted.set(name, formsOf(value));
      return value;
    },
    /** A value that a program made. Of a JWT the signature is looked for: what it says is no secret. */
    made(name: string, value: string): string {
      planted.set(name, formsOf(value.split('.').at(-1) ?? value));
      return value;
    },
    /** What is found where, `<name> in <place>`, each once. */
    found: (places: readonly Place[]): string[] => [
      ...new Set(
        places.flatMap(({ name: place, bytes }) =>
          [...planted].filter(([, forms]) => forms.some((form) => bytes.includes(form))).map(([name]) => `${name} in ${place}`),
        ),
      ),
    ],
    names: () => [...planted.keys()],
  };
}

/** Every file below a folder. */
export async function filesBelow(folder: string): Promise<Place[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return await Promise.all(files.map(async (file) => ({ name: file.slice(folder.length + 1), bytes: await readFile(file) })));
}

function formsOf(value: string): Buffer[] {
  const bytes = Buffer.from(value);
  // At each of the three places that a text can begin at, without the characters that its neighbours have a part in.
  const inBase64 = [0, 1, 2].flatMap((before) => {
    const whole = Buffer.concat([Buffer.alloc(before), bytes]);
    return (['base64', 'base64url'] as const).map((form) => whole.toString(form).slice(4, Math.floor(whole.length / 3) * 4));
  });
  return [value, bytes.toString('hex'), encodeURIComponent(value), ...inBase64].map((form) => Buffer.from(form));
}
