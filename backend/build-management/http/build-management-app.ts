import type { Express } from 'express';
import { Refusal } from '../../domain/errors.ts';
import type { Call } from '../../http/call.ts';
import { fillApp } from '../../http/every-answer.ts';
import type { AnsweringProgram } from '../../http/every-answer.ts';
import { refuseDoubleSlash } from '../../http/unknown-address.ts';
import type { BuildContext } from '../context.ts';
import { mountCalls } from './mount-calls.ts';
import type { RequestGuards } from './mount-calls.ts';

export interface BuildManagementApp extends AnsweringProgram {
  readonly calls: readonly Call<BuildContext>[];
  readonly guards: RequestGuards;
}

/** Fills an empty app with the calls of the table. There are no pages here. */
export function fillBuildManagementApp(app: Express, { calls, guards, ...program }: BuildManagementApp): void {
  fillApp(app, program, () => {
    mountCalls(app, calls, guards);
    app.use((request) => {
      refuseDoubleSlash(request.originalUrl);
      throw new Refusal('ROUTE_NOT_FOUND', 'Build management has no such address.');
    });
  });
}
