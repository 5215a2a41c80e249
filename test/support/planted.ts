import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A searched place, such as a file, and its content. */
export interface Place {
  readonly name: string;
  readonly bytes: Buffer;
}

/** Values that may occur in few places only. They are also searched as Base64 and hexadecimal; addresses and JSON do not change letters and digits. */
export function plantedValues() {
  const planted = new Map<string, readonly Buffer[]>();
  return {
    /** Creates a value, which is reported by its name. */
    plant(name: string): string {
      const value = `x${randomBytes(20).toString('hex')}`;
      planted.set(name, formsOf(value));
      return value;
    },
    /** Registers a value that a program created. Of a JWT only the signature is searched, as its claims are not secret. */
    register(name: string, value: string): string {
      planted.set(name, formsOf(value.split('.').at(-1) ?? value));
      return value;
    },
    /** The occurrences as `<name> in <place>`, each once. */
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
  // At each of the three possible offsets, without the characters that also encode neighbouring bytes.
  const inBase64 = [0, 1, 2].flatMap((before) => {
    const whole = Buffer.concat([Buffer.alloc(before), bytes]);
    return (['base64', 'base64url'] as const).map((form) => whole.toString(form).slice(4, Math.floor(whole.length / 3) * 4));
  });
  return [value, bytes.toString('hex'), encodeURIComponent(value), ...inBase64].map((form) => Buffer.from(form));
}
