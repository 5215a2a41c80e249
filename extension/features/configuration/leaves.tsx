import { Checkbox } from '@adobe/react-spectrum/Checkbox';
import { CheckboxGroup } from '@adobe/react-spectrum/CheckboxGroup';
import { NumberField } from '@adobe/react-spectrum/NumberField';
import { Item, Picker } from '@adobe/react-spectrum/Picker';
import { Switch } from '@adobe/react-spectrum/Switch';
import { TextArea } from '@adobe/react-spectrum/TextArea';
import { TextField } from '@adobe/react-spectrum/TextField';
import { isLongText } from '@repoless/core/configuration/configuration-kind.ts';
import type { FormNode, TextNode } from '@repoless/core/configuration/form-node.ts';
import { at, isObject, keysOf, pointerTo, printed } from '@repoless/core/history/json-values.ts';
import { createContext, use, useState } from 'react';
import { ActionButton } from '@adobe/react-spectrum/ActionButton';
import { HIDDEN, hideCredentials, isCredential } from '@repoless/core/history/cdn-credentials.ts';
import type { MessagesOf } from '@repoless/core/messages/language.ts';
import { invalid, TextInput } from '../../ui/forms.tsx';
import './configuration.css';
import { Badge } from '../../ui/Badge.tsx';

/** The properties of a location of one kind. */
export type Of<K extends FormNode['kind']> = NodeProps<Extract<FormNode, { kind: K }>>;

/** The share of a text's maximum length from which the limit is shown. */
const NEARLY = 0.8;
const UNSET = ' unset';

export function TextLeaf(props: NodeProps<TextNode>) {
  const form = useForm();
  const { node, location, value, isRequired, onChange } = props;
  const text = typeof value === 'string' ? value : '';
  const { maxLength } = node;
  const atLimit = maxLength !== undefined && text.length > maxLength * NEARLY ? form.messages.atMost({ count: maxLength }) : undefined;
  const common = {
    ...leafProps(form, props, maxLength !== undefined && text.length > maxLength ? atLimit : undefined, atLimit),
    value: text,
    onChange: (next: string) => onChange(next === '' && !isRequired ? undefined : next),
    width: '100%',
    autoComplete: 'off',
    spellCheck: 'false',
  } as const;
  return isLongText(location) ? <TextArea {...common} UNSAFE_className="rp-long-text" /> : <TextField {...common} />;
}

export function NumberLeaf(props: Of<'number'>) {
  const form = useForm();
  const { node, value, onChange } = props;
  return (
    <NumberField
      {...leafProps(form, props)}
      value={typeof value === 'number' ? value : Number.NaN}
      onChange={(next) => onChange(Number.isNaN(next) ? undefined : next)}
      width="100%"
      {...(node.min === undefined ? {} : { minValue: node.min })}
      {...(node.max === undefined ? {} : { maxValue: node.max })}
    />
  );
}

/** Off is the same as unset, unless the profile sets it. */
export function SwitchLeaf(props: Of<'switch'>) {
  const form = useForm();
  const { label, keys, value, inherited, isRequired, autoFocus, onChange } = props;
  const problem = form.problemOf(pointerTo(...keys));
  return (
    <div className="rp-field">
      <Switch
        isSelected={value === true}
        isDisabled={form.isDisabled}
        autoFocus={autoFocus === true}
        onChange={(isOn) => onChange(isOn || isRequired || inherited !== undefined ? isOn : undefined)}
      >
        {label}
      </Switch>
      {problem !== undefined && <span className="rp-wrong">{problem}</span>}
    </div>
  );
}

export function ChoiceLeaf(props: Of<'choice'>) {
  const form = useForm();
  const { node, value, isRequired, onChange } = props;
  const options = [...(isRequired ? [] : [{ key: UNSET, name: form.messages.unset }]), ...node.options.map((key) => ({ key, name: key }))];
  return (
    <Picker
      {...leafProps(form, props)}
      items={options}
      selectedKey={typeof value === 'string' ? value : UNSET}
      onSelectionChange={(key) => onChange(key === UNSET ? undefined : key)}
      width="100%"
    >
      {({ key, name }) => <Item key={key}>{name}</Item>}
    </Picker>
  );
}

export function ChoicesLeaf(props: Of<'choices'>) {
  const form = useForm();
  const { node, value, isRequired, onChange } = props;
  const { autoFocus: _autoFocus, ...common } = leafProps(form, props);
  return (
    <CheckboxGroup
      {...common}
      orientation="horizontal"
      value={Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []}
      onChange={(next) => onChange(next.length === 0 && !isRequired ? undefined : next)}
    >
      {node.options.map((option) => (
        <Checkbox key={option} value={option}>
          {option}
        </Checkbox>
      ))}
    </CheckboxGroup>
  );
}

/** Label, help and errors. Also takes an error that is known before the service reports it, and an additional description. */
function leafProps(
  form: FormFrame,
  { label, location, keys, value, inherited, isRequired, autoFocus }: NodeProps,
  wrong?: string,
  more?: string,
) {
  const { help } = fieldMessages(form.messages, location);
  const problem = wrong ?? form.problemOf(pointerTo(...keys));
  const overrides = value === undefined || inherited === undefined ? undefined : form.messages.overrides({ profile: form.profile ?? '' });
  const description = form.hasHelp ? [help, more, overrides].filter((one) => one !== undefined).join(' ') : '';
  return {
    label,
    isDisabled: form.isDisabled,
    isRequired,
    necessityIndicator: 'icon' as const,
    autoFocus: autoFocus === true,
    ...(description === '' ? {} : { description }),
    ...invalid(problem),
  };
}

/** A credential: write-only. The stored one is preserved while nothing is entered. */
export function SecretLeaf(props: NodeProps<TextNode>) {
  const form = useForm();
  const { messages } = form;
  const { value, inherited, stored, isRequired, onChange } = props;
  const [typed, setTyped] = useState('');
  const isStored = typeof stored === 'string' && value === stored;
  const isEntered = typeof value === 'string' && value !== '';
  const isCopied = isEntered && value === inherited;
  const help = isStored ? messages.stored : isCopied ? messages.copied : isEntered ? messages.replaced : messages.notStored;
  return (
    <TextField
      {...leafProps(form, { ...props, isRequired: isRequired && !isStored }, undefined, help)}
      type="password"
      autoComplete="off"
      width="100%"
      value={typed}
      onChange={(next) => {
        setTyped(next);
        onChange(next === '' ? (stored ?? inherited ?? (isRequired ? '' : undefined)) : next);
      }}
    />
  );
}

interface KeyFieldProps {
  readonly label: string;
  readonly help: string | undefined;
  readonly name: string;
  readonly taken: (name: string) => boolean;
  readonly problem: string | undefined;
  readonly autoFocus: boolean;
  readonly onRename: (name: string) => void;
}

/** The name of an entry. It is applied when the field loses focus: a partial name could be that of another entry. */
export function KeyField({ label, help, name, taken, problem, autoFocus, onRename }: KeyFieldProps) {
  const { messages, isDisabled, hasHelp } = useForm();
  const [typed, setTyped] = useState<string>();
  const text = typed ?? name;
  const isTaken = text !== name && taken(text);
  const wrong = isTaken ? messages.keyTaken : problem;
  const finish = (): void => {
    if (isTaken) return;
    if (text !== name) onRename(text);
    setTyped(undefined);
  };
  return (
    <TextInput
      label={label}
      value={text}
      onChange={setTyped}
      onBlur={finish}
      onKeyDown={(event) => (event.key === 'Enter' ? finish() : event.continuePropagation())}
      isDisabled={isDisabled}
      isRequired
      necessityIndicator="icon"
      autoFocus={autoFocus}
      {...(help === undefined || !hasHelp ? {} : { description: help })}
      problem={wrong}
    />
  );
}

/** The labels of a field, a list or an entry, by its location: keys and indexes are `*`. */
interface FieldMessages {
  readonly label: string;
  readonly help?: string;
  /** For entries by name: what the name is. */
  readonly key?: string;
  readonly keyHelp?: string;
  /** On the button that adds an entry. */
  readonly add?: string;
}

type ConfigurationMessages = MessagesOf<'configuration'>['form'];

interface FormFrame {
  readonly messages: ConfigurationMessages;
  readonly isDisabled: boolean;
  /** Set unless the form is permanently read-only, when no help is needed. */
  readonly hasHelp: boolean;
  readonly profile: string | undefined;
  /** The service's error at a pointer (RFC 6901). */
  problemOf(pointer: string): string | undefined;
  /** Announces a text to assistive technology. */
  announce(text: string): void;
}

export const FormFrameContext = createContext<FormFrame | undefined>(undefined);

/** A location in the configuration with its values: the draft's, the profile's and the stored one. */
export interface NodeProps<N extends FormNode = FormNode> {
  readonly node: N;
  /** The keys and indexes of the location. */
  readonly keys: readonly string[];
  /** The keys and indexes of the location, joined by slashes, with `*` for each index and each key of a record. */
  readonly location: string;
  readonly label: string;
  readonly value: unknown;
  readonly inherited: unknown;
  readonly stored: unknown;
  readonly isRequired: boolean;
  readonly autoFocus?: boolean | undefined;
  /** undefined removes the value. */
  readonly onChange: (value: unknown) => void;
}

/** The labels of a location; its own name for a field of the contract that has no messages yet. */
export function fieldMessages(messages: ConfigurationMessages, location: string): FieldMessages {
  const all: Readonly<Record<string, FieldMessages>> = messages.fields;
  return (Object.hasOwn(all, location) ? all[location] : undefined) ?? { label: location.slice(location.lastIndexOf('/') + 1) };
}

export function useForm(): FormFrame {
  const frame = use(FormFrameContext);
  if (frame === undefined) throw new Error('A field is outside of a form.');
  return frame;
}

interface InheritedProps extends Pick<NodeProps, 'label' | 'location' | 'value' | 'inherited' | 'onChange'> {
  /** Adds the inherited value to the site's own. */
  readonly over?: (inherited: unknown) => unknown;
}

/** An effective value of the profile, and the button that replaces it with the site's own. */
export function InheritedValue({ label, location, inherited, onChange, over = (value) => value }: InheritedProps) {
  const { messages, profile = '', isDisabled, announce } = useForm();
  return (
    <div className="rp-inherited" role="group" aria-label={label}>
      <span className="rp-label">{label}</span>
      <span className="rp-inherited-value rp-value">{shown(location, inherited)}</span>
      <span className="rp-inherited-from">
        <Badge tone="neutral" text={messages.from({ profile })} />
        <ActionButton
          isDisabled={isDisabled}
          aria-label={messages.overrideOf({ name: label })}
          onPress={() => {
            onChange(over(inherited));
            announce(messages.overridden({ name: label }));
          }}
        >
          {messages.override}
        </ActionButton>
      </span>
    </div>
  );
}

function shown(location: string, value: unknown): string {
  if (isCredential(location)) return HIDDEN;
  const open = location === 'cdn/prod' ? at(hideCredentials({ prod: value }), 'prod') : value;
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
