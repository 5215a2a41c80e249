import { z } from 'zod';

const Entry = z.tuple([z.string(), z.number(), z.string()]);

/** The files of a branch: by path the SHA-256 of the bytes, their number, and the name that git gives them. */
export const Manifest = z.object({
  files: z.record(z.string(), Entry),
  /** Names of files that stand for others (Git LFS), so that they are not read again. */
  pointers: z.array(z.string()),
});
export type Manifest = z.infer<typeof Manifest>;
export type ManifestEntry = z.infer<typeof Entry>;

/** Equal lists have equal bytes. */
export function printManifest({ files, pointers }: Manifest): Uint8Array {
  const sorted = Object.entries(files).sort(([one], [other]) => (one < other ? -1 : 1));
  return Buffer.from(JSON.stringify({ files: Object.fromEntries(sorted), pointers: pointers.toSorted() }));
}

// `__proto__` is no path that is served, so that a plain object holds them all.
export function readManifest(bytes: Uint8Array): Manifest {
  return Manifest.parse(JSON.parse(new TextDecoder().decode(bytes)));
}
