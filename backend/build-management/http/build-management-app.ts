import type { Express } from 'express';
import { Refusal } from '#backend/domain/errors.ts';
import type { Call } from '#backend/http/call.ts';
import { fillApp } from '#backend/http/every-answer.ts';
import type { AnsweringProgram } from '#backend/http/every-answer.ts';
import { refuseDoubleSlash } from '#backend/http/unknown-address.ts';
import type { GitHandler } from '../hosting/git-handler.ts';
import type { BuildContext } from '../context.ts';
import { mountCalls } from './mount-calls.ts';
import type { RequestGuards } from './mount-calls.ts';

export interface BuildManagementApp extends AnsweringProgram {
  readonly calls: readonly Call<BuildContext>[];
  readonly guards: RequestGuards;
  /** Answers the calls of git clients. */
  readonly git: GitHandler;
}

/** Fills an empty app: the calls of git, then those of the table. There are no pages here. */
export function fillBuildManagementApp(app: Express, { calls, guards, git, ...program }: BuildManagementApp): void {
  fillApp(app, program, () => {
    app.use(async (request, response, next) => ((await git(request, response)) ? undefined : next()));
    mountCalls(app, calls, guards);
    app.use((request) => {
      refuseDoubleSlash(request.originalUrl);
      throw new Refusal('ROUTE_NOT_FOUND', 'Build management has no such address.');
    });
  });
}
