import { isMainThread } from 'node:worker_threads';
import { collectGarbage } from '../support/collect-garbage.ts';

/** Loaded before a watched program: collects garbage on SIGUSR2, so that what is measured next is memory in use. */
if (isMainThread) process.on('SIGUSR2', collectGarbage);
