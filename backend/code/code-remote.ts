/** The guarded way out, as far as code sources need it. */
export interface CodeRemote {
  /** One GET, bounded in size; never rejects but for a programming error. */
  get(asked: { readonly url: string; readonly headers: Readonly<Record<string, string>>; readonly sizeLimit: number }): Promise<CodeAnswer>;
  /** Looks a host up and answers what it leads to, or why it must not be connected to. */
  resolve(url: string): Promise<{ readonly addresses: readonly string[] } | RemoteProblem>;
}

export type CodeAnswer =
  { readonly status: number; readonly headers: Readonly<Record<string, string | undefined>>; readonly body: Uint8Array } | RemoteProblem;

export interface RemoteProblem {
  readonly problem: 'internal' | 'timeout' | 'too-large' | 'unreachable';
  /** Names the host alone. */
  readonly sentence: string;
}
