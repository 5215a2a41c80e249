import type { FieldError } from '@repoless/contract/errors.ts';
import type access from './en/access.json';
import type authoringSignIn from './en/authoring-sign-in.json';
import type configuration from './en/configuration.json';
import type firstView from './en/first-view.json';
import type glossary from './en/glossary.json';
import type history from './en/history.json';
import type leaving from './en/leaving.json';
import type permission from './en/permission.json';
import type rollouts from './en/rollouts.json';
import type service from './en/service.json';
import type setup from './en/setup.json';
import type simulation from './en/simulation.json';
import type siteCheck from './en/site-check.json';
import type sites from './en/sites.json';
import type sync from './en/sync.json';
import type welcome from './en/welcome.json';
import type { Variables } from './variables.ts';

/** English, file by file. Every language has the same messages with the same variables: a test compares them. */
interface English {
  readonly access: typeof access;
  readonly 'authoring-sign-in': typeof authoringSignIn;
  readonly configuration: typeof configuration;
  readonly 'first-view': typeof firstView;
  readonly glossary: typeof glossary;
  readonly history: typeof history;
  readonly leaving: typeof leaving;
  readonly permission: typeof permission;
  readonly rollouts: typeof rollouts;
  readonly service: typeof service;
  readonly setup: typeof setup;
  readonly simulation: typeof simulation;
  readonly 'site-check': typeof siteCheck;
  readonly sites: typeof sites;
  readonly sync: typeof sync;
  readonly welcome: typeof welcome;
}

/** The messages of one group of views, in a separate file. It is loaded with the first of these views. */
export type Part = keyof English;

/** The messages of a part: strings, and functions for those with variables. */
export type MessagesOf<P extends Part> = Bound<English[P], P>;

/**
 * The messages of the first view, and the sentences for the service's codes, which are loaded on first use. For readers of English, the
 * service's language, only the next steps are needed.
 */
export type Messages = MessagesOf<'first-view'> & { readonly service?: ServiceSentences | Pick<ServiceSentences, 'next'> };

/**
 * The service's sentences in the reader's language: a complete refusal, one invalid field with its location, the error of one value, and
 * what it says about code.
 */
export interface ServiceSentences {
  readonly next: MessagesOf<'service'>['next'];
  problem(problem: ServiceProblem): string;
  field(error: FieldError): string;
  value(error: Omit<FieldError, 'pointer'>): string;
  code(sentence: string): string;
}

/** A problem document of the service, or what is left of it: headers of a host have no data. */
export interface ServiceProblem {
  readonly code: string;
  readonly detail: string;
  readonly data?: Readonly<Record<string, string>> | undefined;
  readonly errors?: readonly FieldError[] | undefined;
}

type Bound<T, Path extends string> = { readonly [K in keyof T]: K extends string ? BoundMessage<T[K], `${Path}.${K}`> : never };

type BoundMessage<T, Id extends string> = T extends string
  ? Id extends keyof Variables
    ? (values: Variables[Id]) => string
    : string
  : T extends readonly string[]
    ? readonly string[]
    : Bound<T, Id>;
