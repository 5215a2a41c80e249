import { testInterruptions } from './interrupted-dialogs.ts';
import { writeDialogs } from './write-dialogs.ts';

testInterruptions(writeDialogs);
