import type { TestProject } from 'vitest/node';
import { startSling } from './run-sling.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where Apache Sling answers. */
    readonly sling: string;
  }
}

/** One Sling for all files: its start takes longer than they do. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const sling = await startSling();
  project.provide('sling', sling.address);
  return sling.stop;
}
