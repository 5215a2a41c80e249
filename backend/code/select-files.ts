import ignore from 'ignore';
import type { SourceFile } from './snapshot.ts';

export interface Selection {
  readonly files: readonly SourceFile[];
  /** How many files were left out, by the reason. */
  readonly ignored: Readonly<Record<string, number>>;
}

/** Which files of a repository are served: none that its own rules, or ours, leave out. In: the text of `.hlxignore`. */
export function selectFiles(files: readonly SourceFile[], rules: string | undefined): Selection {
  const own = ignore().add(rules ?? '');
  const ignored: Record<string, number> = {};
  const selected = files.filter((file) => {
    const reason = reasonToIgnore(file) ?? (own.ignores(file.path) ? '.hlxignore' : undefined);
    if (reason !== undefined) ignored[reason] = (ignored[reason] ?? 0) + 1;
    return reason === undefined;
  });
  return { files: selected, ignored };
}

/** The bytes stand for a file that lies elsewhere (Git LFS). */
export function isPointer(bytes: Uint8Array): boolean {
  return bytes.length < 1024 && Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1').startsWith(LFS);
}

function reasonToIgnore({ path, kind }: SourceFile): string | undefined {
  if (kind !== 'file') return kind;
  if (!SERVED.test(path) || OUTSIDE.test(path)) return 'path';
  return NEVER.exec(path)?.[2];
}

const SERVED = /^[a-zA-Z0-9._-][/a-zA-Z0-9._-]*$/;
const OUTSIDE = /(^|\/)\.{0,2}(\/|$)/;
const NEVER = /(^|\/)(node_modules|\.git)(\/|$)/;
const LFS = 'version https://git-lfs.github.com/spec/';
