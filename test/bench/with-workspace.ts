import { openWorkspace, type Workspace } from './workspace.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Runs something in a workspace that is cleared afterwards, however it ends: well, by an error, or by Ctrl-C. */
export async function withWorkspace<T>(work: (workspace: Workspace) => Promise<T>): Promise<T> {
  const workspace = openWorkspace();
  const leave = () => void workspace.dispose().finally(() => process.exit(130));
  for (const signal of SIGNALS) process.on(signal, leave);
  try {
    return await work(workspace);
  } finally {
    await workspace.dispose();
    for (const signal of SIGNALS) process.off(signal, leave);
  }
}
