import { z } from 'zod';

/** `added` → `ownership_confirmed` → `READY`, or `failed` with the problem (docs/contract.md 7.1). */
export const RepositoryState = z.enum(['added', 'ownership_confirmed', 'READY', 'failed']);
export type RepositoryState = z.infer<typeof RepositoryState>;
