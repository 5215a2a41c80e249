import { ActionButton } from '@adobe/react-spectrum/ActionButton';
import { renamed } from '@repoless/core/configuration/configuration-kind.ts';
import { emptyValue, type FormNode } from '@repoless/core/configuration/form-node.ts';
import { at, isObject, keysOf, pointerTo } from '@repoless/core/history/json-place.ts';
import { type ComponentRef, type ReactNode, useRef, useState } from 'react';
import { RemoveButton, TextInput } from '../../ui/forms.tsx';
import { fieldMessages, InheritedValue, type NodeProps, useForm } from './leaves.tsx';

interface Props extends NodeProps<Extract<FormNode, { kind: 'record' }>> {
  readonly draw: (props: NodeProps) => ReactNode;
}

/** Values under names that the author chooses, such as headers by path. */
export function RecordForm({ node, keys, place, label, value, inherited, stored, isRequired, onChange, draw }: Props) {
  const form = useForm();
  const { messages } = form;
  const [fresh, setFresh] = useState<number>();
  const add = useRef<ComponentRef<typeof ActionButton>>(null);
  const entries = Object.entries(isObject(value) ? value : {});
  const own = fieldMessages(messages, place);
  const item = fieldMessages(messages, `${place}/*`);
  const keyLabel = own.key ?? label;
  const problem = form.problemOf(pointerTo(...keys));
  const isNested = place.includes('/');
  const change = (next: Readonly<Record<string, unknown>>): void =>
    onChange(Object.keys(next).length === 0 && !isRequired ? undefined : next);
  const remove = (key: string): void => {
    change(Object.fromEntries(entries.filter(([name]) => name !== key)));
    setFresh(undefined);
    form.say(messages.removed({ name: key === '' ? keyLabel : key }));
    add.current?.focus();
  };
  return (
    <div className="rp-entries" role="group" aria-label={label}>
      {isNested && <p className="rp-label">{label}</p>}
      {problem !== undefined && <p className="rp-wrong">{problem}</p>}
      {entries.length === 0 && inherited === undefined && <p className="rp-empty">{messages.none}</p>}
      {entries.map(([key, entry], index) => {
        const pointer = pointerTo(...keys, key);
        return (
          <div key={index} className="rp-record" role="group" aria-label={key === '' ? keyLabel : key}>
            <div className="rp-entry">
              <KeyField
                label={keyLabel}
                help={own.keyHelp}
                name={key}
                taken={(name) => isObject(value) && Object.hasOwn(value, name)}
                problem={node.value.kind === 'text' ? undefined : form.problemOf(pointer)}
                autoFocus={fresh === index}
                onRename={(name) => onChange(renamed(entries, key, name))}
              />
              <RemoveButton
                size="XS"
                label={messages.removeOf({ name: key === '' ? keyLabel : key })}
                isDisabled={form.isDisabled}
                onPress={() => remove(key)}
              />
            </div>
            {draw({
              node: node.value,
              keys: [...keys, key],
              place: `${place}/*`,
              label: item.label,
              value: entry,
              inherited: at(inherited, key),
              stored: at(stored, key),
              isRequired: true,
              onChange: (next) => change({ ...Object.fromEntries(entries), [key]: next }),
            })}
          </div>
        );
      })}
      {keysOf(inherited)
        .filter((key) => !isObject(value) || !Object.hasOwn(value, key))
        .map((key) => (
          <InheritedValue
            key={key}
            label={key}
            place={`${place}/*`}
            value={undefined}
            inherited={at(inherited, key)}
            onChange={(next) => change({ ...Object.fromEntries(entries), [key]: next })}
          />
        ))}
      <div>
        <ActionButton
          ref={add}
          isDisabled={form.isDisabled || entries.some(([key]) => key === '')}
          onPress={() => {
            setFresh(entries.length);
            onChange({ ...Object.fromEntries(entries), '': emptyValue(node.value) });
          }}
        >
          {own.add ?? messages.add}
        </ActionButton>
      </div>
    </div>
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
function KeyField({ label, help, name, taken, problem, autoFocus, onRename }: KeyFieldProps) {
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

interface ListFormProps extends NodeProps<Extract<FormNode, { kind: 'list' }>> {
  readonly draw: (props: NodeProps) => ReactNode;
}

export function ListForm(props: ListFormProps) {
  const { node, keys, place, label, value, inherited, stored, isRequired, onChange, draw } = props;
  const form = useForm();
  const { messages } = form;
  const [fresh, setFresh] = useState<number>();
  const add = useRef<ComponentRef<typeof ActionButton>>(null);
  const entries: readonly unknown[] = Array.isArray(value) ? value : [];
  const own = fieldMessages(messages, place);
  const item = fieldMessages(messages, `${place}/*`);
  const problem = form.problemOf(pointerTo(...keys));
  const isFull = node.most !== undefined && entries.length >= node.most;
  const removeAt = (index: number, name: string): void => {
    const left = entries.toSpliced(index, 1);
    // The site's own empty list replaces that of the profile.
    onChange(left.length === 0 && !isRequired && inherited === undefined ? undefined : left);
    setFresh(undefined);
    form.say(messages.removed({ name }));
    add.current?.focus();
  };
  return (
    <div className="rp-entries" role="group" aria-label={label}>
      <p className="rp-label">{label}</p>
      {own.help !== undefined && <p className="rp-quiet">{own.help}</p>}
      {problem !== undefined && <p className="rp-wrong">{problem}</p>}
      {entries.map((entry, index) => {
        const name = messages.numbered({ label: item.label, number: index + 1 });
        return (
          <div key={index} className="rp-entry">
            {draw({
              node: node.item,
              keys: [...keys, String(index)],
              place: `${place}/*`,
              label: name,
              value: entry,
              inherited: undefined,
              stored: Array.isArray(stored) ? stored[index] : at(stored, String(index)),
              isRequired: true,
              autoFocus: fresh === index,
              onChange: (next) => onChange(entries.with(index, next)),
            })}
            <RemoveButton
              size="XS"
              label={messages.removeOf({ name })}
              isDisabled={form.isDisabled}
              onPress={() => removeAt(index, name)}
            />
          </div>
        );
      })}
      {inherited !== undefined && (
        <InheritedValue
          {...props}
          label={entries.length === 0 ? label : messages.inherited}
          over={(more) => [...entries, ...(Array.isArray(more) ? more : [])]}
        />
      )}
      <div>
        <ActionButton
          ref={add}
          isDisabled={form.isDisabled || isFull}
          onPress={() => {
            setFresh(entries.length);
            onChange([...entries, emptyValue(node.item)]);
          }}
        >
          {own.add ?? messages.add}
        </ActionButton>
        {isFull && node.most !== undefined && <span className="rp-quiet"> {messages.atMostEntries({ count: node.most })}</span>}
      </div>
    </div>
  );
}
