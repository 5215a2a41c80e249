import type { setup as english } from '../en/setup.ts';
import { claim } from './claim.ts';
import { run } from './run.ts';
import { undo, undoSteps } from './undo.ts';

export const setup = { claim, run, undo, undoSteps } satisfies typeof english;
