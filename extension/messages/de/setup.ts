import type { setup as english } from '../en/setup.ts';
import { claim } from './claim.ts';
import { undo, undoSteps } from './undo.ts';

export const setup = { claim, undo, undoSteps } satisfies typeof english;
