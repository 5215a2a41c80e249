import { createContext } from 'react';
import type { FormNode } from '@repoless/core/configuration/form-node.ts';
import type { MessagesOf } from '@repoless/core/messages/language.ts';

/** What a field, a list or an entry is called, by its place: keys and indexes are `*`. */
interface FieldMessages {
  readonly label: string;
  readonly help?: string;
  /** Of entries by names: what the name is. */
  readonly key?: string;
  readonly keyHelp?: string;
  /** On the button that adds an entry. */
  readonly add?: string;
}

export type ConfigurationMessages = MessagesOf<'configuration'>['form'];

/** What every field of a form needs to know. */
export interface FormFrame {
  readonly messages: ConfigurationMessages;
  readonly isDisabled: boolean;
  /** Nothing can be entered for long, so that nobody needs help to. */
  readonly hasHelp: boolean;
  /** From which what is inherited comes. */
  readonly profile: string | undefined;
  /** What the service finds wrong at a place (RFC 6901). */
  problemOf(pointer: string): string | undefined;
  /** Said to assistive technology. */
  say(text: string): void;
}

export const FormFrameContext = createContext<FormFrame | undefined>(undefined);

/** A place of the configuration and its value: as it shall be, as it comes from the profile, and as it is stored. */
export interface NodeProps<N extends FormNode = FormNode> {
  readonly node: N;
  /** Keys and indexes that lead to it. */
  readonly keys: readonly string[];
  /** The same, its keys and indexes written as `*`. */
  readonly place: string;
  readonly label: string;
  readonly value: unknown;
  readonly inherited: unknown;
  readonly stored: unknown;
  readonly isRequired: boolean;
  readonly autoFocus?: boolean | undefined;
  /** In: undefined removes it. */
  readonly onChange: (value: unknown) => void;
}

/** What a place is called; by its own name where the contract has a field that has no messages yet. */
export function fieldMessages(messages: ConfigurationMessages, place: string): FieldMessages {
  const all: Readonly<Record<string, FieldMessages>> = messages.fields;
  return (Object.hasOwn(all, place) ? all[place] : undefined) ?? { label: place.slice(place.lastIndexOf('/') + 1) };
}
