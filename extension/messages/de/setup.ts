import type { setup as english } from '../en/setup.ts';
import { claim } from './claim.ts';
import { undo } from './undo.ts';

export const setup = { claim, undo } satisfies typeof english;
