import { ActionButton } from '@adobe/react-spectrum/ActionButton';
import type { FormNode } from '@repoless/core/configuration/form-node.ts';
import { HIDDEN, hideCredentials, isCredential } from '@repoless/core/history/cdn-credentials.ts';
import { at, isObject, keysOf, printed } from '@repoless/core/history/json-place.ts';
import type { MessagesOf } from '@repoless/core/messages/language.ts';
import { createContext, use } from 'react';
import { Badge } from '../../ui/Badge.tsx';

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

/** The form around a field. */
export function useForm(): FormFrame {
  const frame = use(FormFrameContext);
  if (frame === undefined) throw new Error('A field stands in no form.');
  return frame;
}

interface Props extends Pick<NodeProps, 'label' | 'place' | 'value' | 'inherited' | 'onChange'> {
  /** What the site has of its own already: what is inherited is added to it. */
  readonly over?: (inherited: unknown) => unknown;
}

/** A value that holds through the profile, and the way to a value of the site's own. */
export function InheritedValue({ label, place, inherited, onChange, over = (value) => value }: Props) {
  const { messages, profile = '', isDisabled, say } = useForm();
  return (
    <div className="rp-inherited" role="group" aria-label={label}>
      <span className="rp-label">{label}</span>
      <span className="rp-inherited-value rp-value">{shown(place, inherited)}</span>
      <span className="rp-inherited-from">
        <Badge tone="neutral" text={messages.from({ profile })} />
        <ActionButton
          isDisabled={isDisabled}
          aria-label={messages.overrideOf({ name: label })}
          onPress={() => {
            onChange(over(inherited));
            say(messages.overridden({ name: label }));
          }}
        >
          {messages.override}
        </ActionButton>
      </span>
    </div>
  );
}

function shown(place: string, value: unknown): string {
  if (isCredential(place)) return HIDDEN;
  const open = place === 'cdn/prod' ? at(hideCredentials({ prod: value }), 'prod') : value;
  if (isObject(open))
    return keysOf(open)
      .map((key) => `${key}: ${printed(at(open, key)) ?? ''}`)
      .join('\n');
  if (!Array.isArray(open)) return printed(open) ?? '';
  return open.map((one: unknown) => headerText(one) ?? printed(one) ?? '').join('\n');
}

function headerText(value: unknown): string | undefined {
  const [key, text] = [at(value, 'key'), at(value, 'value')];
  return typeof key === 'string' && typeof text === 'string' ? `${key}: ${text}` : undefined;
}
