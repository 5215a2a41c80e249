import { claim } from './claim.ts';
import { run } from './run.ts';
import { undo, undoSteps } from './undo.ts';

/** What is said where a site is set up, and is not needed to draw its plan. */
export const setup = { claim, run, undo, undoSteps };
