import { ActionButton } from '@adobe/react-spectrum/ActionButton';
import type { FormNode } from '@repoless/core/configuration/form-node.ts';
import { HIDDEN, hideCredentials, isCredential } from '@repoless/core/history/cdn-credentials.ts';
import { at, isObject, keysOf, printed } from '@repoless/core/history/json-place.ts';
import type { MessagesOf } from '@repoless/core/messages/language.ts';
import { createContext, use } from 'react';
import { Badge } from '../../ui/Badge.tsx';

/** The labels of a field, a list or an entry, by its place: keys and indexes are `*`. */
interface FieldMessages {
  readonly label: string;
  readonly help?: string;
  /** For entries by name: what the name is. */
  readonly key?: string;
  readonly keyHelp?: string;
  /** On the button that adds an entry. */
  readonly add?: string;
}

export type ConfigurationMessages = MessagesOf<'configuration'>['form'];

export interface FormFrame {
  readonly messages: ConfigurationMessages;
  readonly isDisabled: boolean;
  /** Set unless the form is permanently read-only, when no help is needed. */
  readonly hasHelp: boolean;
  readonly profile: string | undefined;
  /** The service's error at a pointer (RFC 6901). */
  problemOf(pointer: string): string | undefined;
  /** Announces a text to assistive technology. */
  say(text: string): void;
}

export const FormFrameContext = createContext<FormFrame | undefined>(undefined);

/** A place of the configuration with its values: the draft's, the profile's and the stored one. */
export interface NodeProps<N extends FormNode = FormNode> {
  readonly node: N;
  /** The keys and indexes of the place. */
  readonly keys: readonly string[];
  /** The same with keys and indexes written as `*`. */
  readonly place: string;
  readonly label: string;
  readonly value: unknown;
  readonly inherited: unknown;
  readonly stored: unknown;
  readonly isRequired: boolean;
  readonly autoFocus?: boolean | undefined;
  /** undefined removes the value. */
  readonly onChange: (value: unknown) => void;
}

/** The labels of a place; its own name for a field of the contract that has no messages yet. */
export function fieldMessages(messages: ConfigurationMessages, place: string): FieldMessages {
  const all: Readonly<Record<string, FieldMessages>> = messages.fields;
  return (Object.hasOwn(all, place) ? all[place] : undefined) ?? { label: place.slice(place.lastIndexOf('/') + 1) };
}

export function useForm(): FormFrame {
  const frame = use(FormFrameContext);
  if (frame === undefined) throw new Error('A field stands in no form.');
  return frame;
}

interface Props extends Pick<NodeProps, 'label' | 'place' | 'value' | 'inherited' | 'onChange'> {
  /** Adds the inherited value to what the site already has of its own. */
  readonly over?: (inherited: unknown) => unknown;
}

/** An effective value of the profile, and the button that replaces it with the site's own. */
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
