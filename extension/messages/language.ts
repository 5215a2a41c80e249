import type { english } from './en/english.ts';

type English = typeof english;

/** A part of the sentences: what one group of views says. It is loaded with the first of them that is opened. */
export type Part = keyof English;

/** What English says, part by part. A language that lacks a sentence does not compile. */
type Vocabulary = { readonly [P in Part]: Awaited<ReturnType<English[P]>> };

/** Every sentence of a part. */
export type MessagesOf<P extends Part> = Vocabulary[P];

/** Every sentence that an author reads in the first view. */
export type Messages = MessagesOf<'firstView'>;

/** A language: how each part of it is loaded. */
export type Language = { readonly [P in Part]: () => Loaded<Vocabulary[P]> };

/** Those of the parts that were asked for. */
export type Loaded<T> = T | Promise<T>;
