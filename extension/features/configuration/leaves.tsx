import { Checkbox } from '@adobe/react-spectrum/Checkbox';
import { CheckboxGroup } from '@adobe/react-spectrum/CheckboxGroup';
import { NumberField } from '@adobe/react-spectrum/NumberField';
import { Item, Picker } from '@adobe/react-spectrum/Picker';
import { Switch } from '@adobe/react-spectrum/Switch';
import { TextArea } from '@adobe/react-spectrum/TextArea';
import { TextField } from '@adobe/react-spectrum/TextField';
import { isLongText } from '@repoless/core/configuration/configuration-kind.ts';
import type { FormNode, TextNode } from '@repoless/core/configuration/form-node.ts';
import { pointerTo } from '@repoless/core/history/json-place.ts';
import { useState } from 'react';
import { fieldMessages, type FormFrame, type NodeProps, useForm } from './form-frame.tsx';
import { invalid } from '../../ui/forms.tsx';
import './configuration.css';

type Of<K extends FormNode['kind']> = NodeProps<Extract<FormNode, { kind: K }>>;

/** The share of a text's maximum length from which the limit is shown. */
const NEARLY = 0.8;
const UNSET = ' unset';

export function TextLeaf(props: NodeProps<TextNode>) {
  const form = useForm();
  const { node, place, value, isRequired, onChange } = props;
  const text = typeof value === 'string' ? value : '';
  const { longest } = node;
  const bound = longest !== undefined && text.length > longest * NEARLY ? form.messages.atMost({ count: longest }) : undefined;
  const common = {
    ...leafProps(form, props, longest !== undefined && text.length > longest ? bound : undefined, bound),
    value: text,
    onChange: (next: string) => onChange(next === '' && !isRequired ? undefined : next),
    width: '100%',
    autoComplete: 'off',
    spellCheck: 'false',
  } as const;
  return isLongText(place) ? <TextArea {...common} UNSAFE_className="rp-long-text" /> : <TextField {...common} />;
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
      {...(node.least === undefined ? {} : { minValue: node.least })}
      {...(node.most === undefined ? {} : { maxValue: node.most })}
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
export function leafProps(
  form: FormFrame,
  { label, place, keys, value, inherited, isRequired, autoFocus }: NodeProps,
  wrong?: string,
  more?: string,
) {
  const { help } = fieldMessages(form.messages, place);
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
  const isKept = typeof stored === 'string' && value === stored;
  const isEntered = typeof value === 'string' && value !== '';
  const isCopied = isEntered && value === inherited;
  const said = isKept ? messages.stored : isCopied ? messages.copied : isEntered ? messages.replaced : messages.notStored;
  return (
    <TextField
      {...leafProps(form, { ...props, isRequired: isRequired && !isKept }, undefined, said)}
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
